import { aptHost, type InstallHost } from './apt-host.js';
import type { RedisWay } from './redis-way.js';
import { hasRedis, redisWays } from './start-redis.js';

/** Options of {@link ensureRedis}; the defaults are this machine's. */
export interface EnsureRedisOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly ways?: readonly RedisWay[];
  readonly host?: InstallHost;
  readonly log?: (line: string) => void;
}

/**
 * Before the tests: where no way to a Redis is open, installs `redis-server`, if this machine is one where that may be done (root
 * on Debian or Ubuntu) and `MOCAPI_INSTALL_REDIS=0` does not forbid it. A failure is said and no more: the specs that need a Redis fail then.
 */
export async function ensureRedis(options: EnsureRedisOptions = {}): Promise<void> {
  const { env = process.env, ways = redisWays(env), host = aptHost(), log = console.log } = options;
  if (env['MOCAPI_INSTALL_REDIS'] === '0' || !host.canInstall() || (await hasRedis(ways))) return;
  log('No Redis here: installing redis-server with apt-get (MOCAPI_INSTALL_REDIS=0 forbids it).');
  try {
    await host.install('redis-server');
  } catch (error) {
    log(`redis-server could not be installed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
