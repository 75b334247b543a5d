import type { McpReply } from '@mocapi/testing';
import type { FaultReport, FaultScale } from '../../support/fault.js';
import type { LimitedServerName } from '../fixture/modules.js';
import { Checks } from '../../nodes/support/verdict.js';
import { Bystander } from './bystander.js';
import { HEAP_MIB, LimitedServer } from './limited-server.js';

const SHORT_SECONDS = 5;
const LONGEST_DELAY_MS = 1000;

/** What a flood did and what came of it, in the words of {@link FaultReport}. */
export interface FloodOutcome {
  readonly injected: string;
  readonly fired: string;
  readonly expected: string;
  readonly seen: string;
  readonly problems: readonly string[];
}

/** A flood: it is sent again and again, until its time is over or the server is dead. */
export interface Flood {
  readonly server: LimitedServerName;
  readonly seconds: number;
  /** Makes ready what is sent. */
  begin(server: LimitedServer): { wave(): Promise<unknown>; outcome(): FloodOutcome };
}

/** How long a flood goes on: 5 seconds short; long what `MOCAPI_FLOOD_SECONDS` says, or `byDefault`. */
export function floodSeconds(scale: FaultScale, byDefault: number): number {
  return scale === 'short' ? SHORT_SECONDS : Number(process.env['MOCAPI_FLOOD_SECONDS'] ?? byDefault);
}

/** Floods a server of a small heap, while another caller uses it, and judges how both fared. */
export async function runFlood({ server: name, seconds, begin }: Flood): Promise<FaultReport> {
  const server = await LimitedServer.start(name);
  const bystander = new Bystander(server.client('another'), seconds);
  try {
    const { wave, outcome } = begin(server);
    const end = performance.now() + seconds * 1000;
    const broken = await repeat(wave, () => performance.now() < end && server.isAlive);
    const served = await bystander.stop();
    const load = await server.load();
    const { problems, ...flood } = outcome();
    const checks = new Checks();
    checks.that(server.isAlive, `the server died: ${server.output()}`);
    checks.that(broken === undefined, `the flood broke off: ${broken}`);
    checks.that((load?.longestBusyMs ?? Infinity) <= LONGEST_DELAY_MS, `the event loop stood for ${load?.longestBusyMs} ms`);
    checks.that(served.rounds >= seconds, `the other caller had ${served.rounds} rounds only`);
    checks.none(problems);
    checks.none(served.problems.map((problem) => `the other caller was not served: ${problem}`));
    return checks.report({
      ...flood,
      injected: `${flood.injected}, for ${seconds} s at ${HEAP_MIB} MiB`,
      expected: `${flood.expected}; it lives, its event loop stands at most ${LONGEST_DELAY_MS} ms, the other caller is served`,
      seen:
        `${flood.seen}; longest delay ${load?.longestDelayMs} ms (${load?.cpuInItMs} ms of processor), longest busy ${load?.longestBusyMs} ms, ` +
        `heap ${load?.heapMiB} MiB; ${served.rounds} rounds of the other, longest answer ${served.longestMs} ms, longest task ${served.longestTaskMs} ms`,
    });
  } finally {
    await bystander.stop();
    await server.end();
  }
}

/** Whether a call was refused because of a limit, and told when to call again. */
export function isLimitRefusal({ error }: McpReply): boolean {
  return error?.code === -32603 && Number((error.data as { retryAfterMs?: number } | undefined)?.retryAfterMs) > 0;
}

/** @returns why it broke off; undefined when it went on to the end */
async function repeat(wave: () => Promise<unknown>, goesOn: () => boolean): Promise<string | undefined> {
  try {
    while (goesOn()) await wave();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
