import 'reflect-metadata';
import { ACCEPTED, MOST_ACCEPTED } from './accepted-differences.js';
import { BEDS } from './beds/index.js';
import { runBed } from './beds/run-bed.js';
import { describeAccepted, describeFailures, Tally } from './report.js';

const chosen = process.argv.slice(2);
const tally = new Tally(ACCEPTED);
const began = performance.now();
for (const bed of BEDS.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) await runBed(bed, tally);

const stale = chosen.length === 0 ? ACCEPTED.filter((entry) => !tally.seen.has(entry)) : [];
const tooMany = Math.max(0, ACCEPTED.length - MOST_ACCEPTED);
console.log(tally.describeGroups());
for (const [what, count] of tally.uncarried) console.log(`Not carried by ${what}: ${count}`);
console.log(`Listed differences:\n${describeAccepted(tally.seen)}`);
if (tally.failures.length > 0) console.log(describeFailures(tally.failures));
for (const { reason } of stale) console.log(`\nListed, but no row shows it: ${reason}`);
if (tooMany > 0) console.log(`\nThe list has ${ACCEPTED.length} entries, ${tooMany} too many`);
console.log(`\nCompared in ${((performance.now() - began) / 1000).toFixed(1)} s, with ${ACCEPTED.length} listed differences`);
const failed = tally.failed + stale.length + tooMany;
console.log(`${tally.passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
