import { readFileSync } from 'node:fs';
import type { TaskKey } from '@mocapi/tasks';
import type { Redis } from 'ioredis';

/** A task as an older release left it in Redis. */
export interface GoldenTask {
  readonly state: 'parked' | 'completed' | 'cancelled' | 'working';
  readonly encrypted: boolean;
  readonly taskId: string;
  readonly key: TaskKey;
  readonly fields: Readonly<Record<'f' | 'v' | 'd' | 'c' | 'u' | 'x' | 'o' | 'b', string>>;
}

const file = new URL('../golden/format-1.json', import.meta.url);

/** The tasks of `format-1.json`. */
export const GOLDEN_TASKS = (JSON.parse(readFileSync(file, 'utf8')) as { readonly tasks: readonly GoldenTask[] }).tasks;

/** The golden task in that state, in clear. */
export function goldenTask(state: GoldenTask['state']): GoldenTask {
  return GOLDEN_TASKS.find((task) => task.state === state && !task.encrypted)!;
}

/** Puts a golden task into Redis as if it were created now. @returns its fields */
export async function putGolden(client: Redis, prefix: string, { key, fields }: GoldenTask): Promise<GoldenTask['fields']> {
  const shift = Date.now() - Number(fields.u);
  const moved = { ...fields };
  for (const name of ['c', 'u', 'x'] as const) moved[name] = String(Number(fields[name]) + shift);
  await client.hset(`${prefix}${key}`, moved);
  await client.pexpireat(`${prefix}${key}`, moved.x);
  return moved;
}
