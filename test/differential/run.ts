import 'reflect-metadata';
import * as fc from 'fast-check';
import { ACCEPTED } from './accepted-differences.js';
import { judge } from './compare/judge.js';
import { factsOf } from './compare/request-facts.js';
import { runCase, type Compared } from './compare/run-case.js';
import type { Case } from './corpus/case.js';
import { CORPUS } from './corpus/index.js';
import { mutatedRequest } from './generate/mutations.js';
import { describeAccepted, describeFailure, Tally } from './report.js';
import { closePairs, startPairs } from './servers/pairs.js';
import { readSettings, type RunSettings } from './settings.js';

// The official server warns of what the fixtures do on purpose.
console.warn = () => undefined;

const settings = readSettings(process.env);
const pairs = await startPairs();
const tally = new Tally();
try {
  for (const entry of CORPUS) record(`${entry.area}: ${entry.name}`, entry, await compare(entry));
  const stale = ACCEPTED.filter((entry) => !tally.seen.has(entry));
  const written = tally.compared;
  await runGenerated(settings);
  report(
    written,
    stale.map(({ reason }) => reason),
  );
} finally {
  await closePairs(pairs);
}

async function compare(entry: Case): Promise<Compared> {
  const compared = await runCase(pairs, entry);
  if (!settings.isSpoiled || tally.compared > 0) return compared;
  return { ...compared, differences: [{ facet: 'status', ours: 299, official: compared.official.status }] };
}

function record(name: string, { request }: Case, compared: Compared): boolean {
  const { accepted, unlisted } = judge(ACCEPTED, compared.differences, factsOf(request));
  for (const entry of accepted) tally.seen.set(entry, (tally.seen.get(entry) ?? 0) + 1);
  if (unlisted.length > 0) tally.failures.push({ name, request, unlisted, ...compared });
  else if (accepted.length > 0) tally.accepted += 1;
  else tally.agreed += 1;
  return unlisted.length === 0;
}

/** Compares the generated requests, all of them; the first that fails is then made as small as it still fails. */
async function runGenerated({ runs, seed }: RunSettings): Promise<void> {
  const requests = fc.sample(mutatedRequest, { seed, numRuns: runs });
  let failed = 0;
  for (const [index, request] of requests.entries()) {
    const name = `generated ${index} of seed ${seed}`;
    if (!record(name, { request }, await compare({ request }))) failed += 1;
  }
  if (failed > 0) console.log(await shrunk(seed, runs));
}

async function shrunk(seed: number, runs: number): Promise<string> {
  const agrees = fc.asyncProperty(mutatedRequest, async (request) => {
    const compared = await runCase(pairs, { request });
    return judge(ACCEPTED, compared.differences, factsOf(request)).unlisted.length === 0;
  });
  const { counterexample } = await fc.check(agrees, { seed, numRuns: runs, interruptAfterTimeLimit: 20_000 });
  const smallest = counterexample === null ? 'not found again' : JSON.stringify(counterexample[0]);
  return `\nSeed ${seed}, the smallest request that fails: ${smallest}`;
}

function report(written: number, stale: readonly string[]): void {
  for (const failure of tally.failures) console.log(describeFailure(failure));
  for (const reason of stale) console.log(`\nListed, but no request written by hand shows it: ${reason}`);
  const { compared, agreed, accepted, failures, seen } = tally;
  console.log(`\nRequests compared: ${compared} (${written} written by hand, ${compared - written} generated, seed ${settings.seed})`);
  console.log(`Agreements: ${agreed}`);
  console.log(`Listed differences: in ${accepted} requests, by ${seen.size} reasons`);
  console.log(describeAccepted(seen));
  console.log(`Unlisted differences: in ${failures.length} requests; listed ones that no longer occur: ${stale.length}`);
  const failed = failures.length + stale.length;
  console.log(`${agreed + accepted} passed, ${failed} failed, 0 skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
}
