import { once } from 'node:events';
import type { StormOptions, StormResult } from '../fixture/storm.js';
import { spawnFixture } from './spawn-fixture.js';

/** A storm of polls that is ready to break loose. */
export interface PollStorm {
  rage(options: StormOptions): Promise<StormResult>;
  /** Ends it, whether it raged or not. */
  end(): void;
}

/** Loads a storm in a process of its own. */
export async function loadStorm(): Promise<PollStorm> {
  const child = spawnFixture('storm.ts');
  await once(child, 'message');
  return {
    rage: async (options) => {
      child.send(options);
      const [result] = (await once(child, 'message')) as [StormResult];
      return result;
    },
    end: () => void child.kill('SIGKILL'),
  };
}
