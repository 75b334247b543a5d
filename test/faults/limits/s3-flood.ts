import type { McpReply } from '@mocapi/testing';
import { evidence, type Fault } from '../support/fault.js';
import { floodSeconds, isLimitRefusal, runFlood } from './support/flood.js';

const CITY = 'c'.repeat(1024 * 1024);

/** One anonymous client who fills the store of the demo, byte by byte (S-3). */
export const anonymousFlood: Fault = {
  id: 'S-3-flood',
  title: 'one anonymous client can neither kill the demo nor keep others out',
  limitMs: { long: 900_000 },
  run: (scale) =>
    runFlood({
      server: 'demo',
      seconds: floodSeconds(scale, 300),
      begin: (server) => {
        const client = server.client();
        const replies = { admitted: 0, refused: 0 };
        const strange: string[] = [];
        const count = (reply: McpReply) => {
          if (reply.result?.resultType === 'task') replies.admitted += 1;
          else if (isLimitRefusal(reply)) replies.refused += 1;
          else strange.push(`answered otherwise: ${reply.raw.slice(0, 200)}`);
        };
        return {
          wave: async () => count(await client.callTool('trip_planner', { city: CITY })),
          outcome: () => ({
            injected: 'trip_planner with 1 MiB of city from one anonymous client, as fast as it is answered',
            fired: evidence(replies.refused, 'calls refused with data.retryAfterMs'),
            expected: 'what is too much is refused',
            seen: `${replies.admitted} admitted, ${replies.refused} refused`,
            problems: strange,
          }),
        };
      },
    }),
};
