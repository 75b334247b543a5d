import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisClient } from '../connection/redis-connection.js';

/** The names of the scripts in `lua`; each file says what it takes, replies and guarantees. */
export type RedisScriptName = 'create' | 'update' | 'join' | 'beat' | 'leave' | 'dead';

/** A script on one key: so it runs wherever the slot of that key is, and no two slots ever have to agree. */
export class RedisScript {
  private readonly sha: string;

  private constructor(private readonly source: string) {
    this.sha = createHash('sha1').update(source).digest('hex');
  }

  /** Reads a script of this package. @throws Error if the package is incomplete */
  static load(name: RedisScriptName): RedisScript {
    return new RedisScript(`${textOf('clock')}\n${textOf(name)}`);
  }

  /** Runs it. A server that does not know it yet (a new one, or one whose scripts were flushed) is given its text. */
  async run(client: RedisClient, key: string, args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await client.evalsha(this.sha, 1, key, ...args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('NOSCRIPT')) throw error;
      return client.eval(this.source, 1, key, ...args);
    }
  }
}

// From `src` and from `dist` it is the same way.
function textOf(name: string): string {
  return readFileSync(new URL(`../../lua/${name}.lua`, import.meta.url), 'utf8');
}
