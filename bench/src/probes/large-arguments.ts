import { requestBytes, toolCall } from '../load/mcp-request.js';
import { median } from '../measure/statistics.js';
import { SUBJECTS } from '../rows/subjects.js';
import type { ProbeResult } from '../rows/row.js';
import { withServer } from './with-subject.js';

const BYTES = 1_000_000;
const CALLS = 30;
const WARM_UP = 10;

/** How long the event loop stands at most during a call with 1 MB of rows, in milliseconds: the middle of many calls. */
export function largeArguments(): Promise<ProbeResult> {
  return withServer(SUBJECTS['sync']!, async ({ subject, connection }) => {
    const request = requestBytes(toolCall('count_rows', { rows: rows() }));
    const holds: number[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      await subject.ask('watchLoop');
      const answer = await connection.exchange(request);
      if (!answer.includes(`${rows().length} rows`)) throw new Error(`Not counted: ${answer.toString().slice(0, 500)}`);
      holds.push(await subject.ask<number>('longestHold'));
    }
    return { hold: median(holds.slice(WARM_UP)) };
  });
}

function rows(): readonly object[] {
  const row = (index: number) => ({
    id: index,
    name: `customer ${index}`,
    city: 'Genève',
    price: index / 3,
    tags: ['a', 'b'],
    open: index % 2 === 0,
  });
  const bytesOfOne = Buffer.byteLength(JSON.stringify(row(5000)));
  return Array.from({ length: Math.floor(BYTES / bytesOfOne) }, (_, index) => row(index));
}
