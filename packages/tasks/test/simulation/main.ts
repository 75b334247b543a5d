// `node … main.ts [count] [first seed]`: many schedules, one after the other. The last line is the report as JSON; a violation ends it, with its history on stderr.
import 'reflect-metadata';
import { describeFailure, runSchedules } from './support/run-schedules.js';
import { scriptedCalls } from './support/scripted-tools.js';

const [count = 10_000, firstSeed = 1] = process.argv.slice(2).map(Number);
const { calls, close } = await scriptedCalls();
const report = await runSchedules({ calls, count, firstSeed });
if (report.failure) console.error(await describeFailure(calls, report));
console.log(JSON.stringify(report));
await close();
process.exitCode = report.failure ? 1 : 0;
