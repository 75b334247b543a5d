import type { McpReply } from '@mocapi/testing';
import { evidence, type Fault } from '../support/fault.js';
import { BOMBS } from './support/bombs.js';
import { floodSeconds, runFlood } from './support/flood.js';

/** Values that are dear to check, one after the other (S-2). */
export const schemaBombs: Fault = {
  id: 'S-2-bombs',
  title: 'no value of a client is dear to check, whatever the schema',
  limitMs: { long: 900_000 },
  run: (scale) =>
    runFlood({
      server: 'bombs',
      seconds: floodSeconds(scale, 60),
      begin: (server) => {
        const client = server.client('flooder');
        const outcomes = { entered: 0, refused: 0 };
        const unanswered: string[] = [];
        const sent = new Set<string>();
        let next = 0;
        let slowest = { name: 'none', ms: 0 };
        const wave = async () => {
          const bomb = BOMBS[next++ % BOMBS.length]!;
          sent.add(bomb.name);
          const begun = performance.now();
          const reply = await bomb.send(client);
          const ms = Math.round(performance.now() - begun);
          if (ms > slowest.ms) slowest = { name: bomb.name, ms };
          if (wasRefused(reply)) outcomes.refused += 1;
          else if (reply.raw.includes('entered')) outcomes.entered += 1;
          else unanswered.push(`${bomb.name}: ${reply.raw.slice(0, 200)}`);
        };
        return {
          wave,
          outcome: () => ({
            injected: `${next} values that are dear to check, of ${sent.size} kinds, as fast as they are answered`,
            fired: sent.size === BOMBS.length ? evidence(outcomes.refused, 'values refused') : '',
            expected: 'each is refused or taken',
            seen: `${outcomes.refused} refused, ${outcomes.entered} taken, the slowest (${slowest.name}) in ${slowest.ms} ms`,
            problems: unanswered,
          }),
        };
      },
    }),
};

/** In a result or an error, or by asking again. */
function wasRefused({ result, error, raw }: McpReply): boolean {
  const asksAgain = result?.resultType === 'input_required' || result?.status === 'input_required';
  return error !== undefined || asksAgain || /Invalid arguments|takes too long to check/.test(raw);
}
