import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guardPromises } from '@mocapi/bench';

const GUARD = join(import.meta.dirname, '../../bench/guard.json');

test('a call without enhancers makes no more promises than recorded', async () => {
  const { promises } = JSON.parse(await readFile(GUARD, 'utf8')) as { promises: number };
  expect(await guardPromises()).toBeLessThanOrEqual(promises);
}, 60_000);
