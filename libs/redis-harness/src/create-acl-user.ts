import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';

/**
 * Creates a Redis user with its own password and exactly the permissions in `rules`: `['~mocapi:*', '+get']`. Resolves
 * to the URL that logs in as that user, for the Redis at `url`.
 */
export async function createAclUser(client: Redis, url: string, rules: readonly string[]): Promise<string> {
  const name = `mocapi-${randomBytes(4).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  await client.call('ACL', 'SETUSER', name, 'reset', 'on', `>${password}`, ...rules);
  const address = new URL(url);
  address.username = name;
  address.password = password;
  return address.href;
}
