import type { RedisClient } from '../connection/redis-connection.js';
import { isWrongType } from './redis-failure.js';

/** Where the version stands in the head of a task's string; see `head.lua.ts`. */
const [FIRST, LAST] = [4, 13];

/** The version of a stored task; 0 if there is none. Reads nothing else of it. @param name of the task's key */
export async function storedVersion(client: RedisClient, name: string): Promise<number> {
  try {
    return Number(await client.getrange(name, FIRST, LAST));
  } catch (error) {
    if (!isWrongType(error)) throw error;
    // An older release created it.
    const [version] = await client.hmget(name, 'v');
    return Number(version);
  }
}
