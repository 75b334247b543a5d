// Jest loads this file natively, without its transforms: hence the loader.
import '../tools/register.mjs';

/** One Redis for the whole run. Where there is none, the specs that ask for it fail and say how to have one. */
export default async function setup() {
  const { startSharedRedis } = await import('../libs/redis-harness/src/index.ts');
  globalThis.__mocapiRedis = await startSharedRedis();
}
