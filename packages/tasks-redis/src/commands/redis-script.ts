import { createHash } from 'node:crypto';
import type { RedisClient } from '../connection/redis-connection.js';
import { PROLOGUE, SCRIPTS } from './lua/index.js';

/** The names of the scripts in `lua`. */
export type RedisScriptName = keyof typeof SCRIPTS;

/** A script on one key: so it runs wherever the slot of that key is, and no two slots ever have to agree. */
export class RedisScript {
  private readonly sha: string;

  private constructor(private readonly source: string) {
    this.sha = createHash('sha1').update(source).digest('hex');
  }

  /** A script of this package. */
  static load(name: RedisScriptName): RedisScript {
    return new RedisScript(`${PROLOGUE}\n${SCRIPTS[name]}`);
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
