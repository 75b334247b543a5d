import 'reflect-metadata';
import { ACCEPTED, MOST_ACCEPTED } from './accepted-differences.js';
import { BEDS } from './beds/index.js';
import { runBed } from './beds/run-bed.js';
import { shortened } from './beds/shortened.js';
import { describeAccepted, describeFailures, Tally } from './report.js';

const isShort = process.argv.includes('--short');
const chosen = process.argv.slice(2).filter((argument) => argument !== '--short');
const tally = new Tally(ACCEPTED);
const began = performance.now();
const beds = BEDS.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
for (const bed of beds) await runBed(isShort ? shortened(bed) : bed, tally);

// Some entries show on a carrier whose turn may not come in a short run.
const stale = chosen.length === 0 && !isShort ? ACCEPTED.filter((entry) => !tally.seen.has(entry)) : [];
const tooMany = Math.max(0, ACCEPTED.length - MOST_ACCEPTED);
console.log(tally.describeGroups());
for (const [what, count] of tally.uncarried) console.log(`Not carried by ${what}: ${count}`);
console.log(`Listed differences:\n${describeAccepted(tally.seen)}`);
if (tally.failures.length > 0) console.log(describeFailures(tally.failures));
for (const { reason } of stale) console.log(`\nListed, but no row shows it: ${reason}`);
if (tooMany > 0) console.log(`\nThe list has ${ACCEPTED.length} entries, ${tooMany} too many`);
const { user, system } = process.cpuUsage();
const spent = `${((performance.now() - began) / 1000).toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of processor time)`;
console.log(`\nCompared in ${spent}, with ${ACCEPTED.length} listed differences`);
const failed = tally.failed + stale.length + tooMany;
console.log(`${tally.passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
