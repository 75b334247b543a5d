import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

const rulesIn = (file: string): string =>
  readFileSync(new URL(`../../../../docs/guides/code/redis/${file}`, import.meta.url), 'utf8').trim();

/** What the guide lets the user of the tasks do, under another key prefix. In a cluster it is some more. */
export function documentedRules(prefix: string, isCluster = false): readonly string[] {
  const [, , ...rules] = rulesIn('tasks.acl').replaceAll('mocapi:tasks:', prefix).split(' ');
  const own = rules.filter((rule) => rule !== 'on' && !rule.startsWith('>'));
  return isCluster ? [...own, ...rulesIn('tasks-cluster.acl').split(' ')] : own;
}

/** The commands among rules: `client|setname` for `+client|setname`. */
export function commandsOf(rules: readonly string[]): readonly string[] {
  return rules.flatMap((rule) => (rule.startsWith('+') ? [rule.slice(1)] : []));
}

/** Makes one user on several servers. */
export async function createUserOn(
  servers: readonly { readonly host: string; readonly port: number }[],
  rules: readonly string[],
): Promise<{ readonly username: string; readonly password: string }> {
  const user = { username: `mocapi-${randomBytes(4).toString('hex')}`, password: randomBytes(16).toString('hex') };
  for (const server of servers) {
    const client = new Redis(server);
    await client.call('ACL', 'SETUSER', user.username, 'reset', 'on', `>${user.password}`, ...rules);
    client.disconnect();
  }
  return user;
}
