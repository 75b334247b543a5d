import { setTimeout as sleep } from 'node:timers/promises';
import type { Load, LoadLength } from '../load/http-load.js';
import type { Subject } from './subject.js';

/** Something that is measured once in every round. */
export interface Cell {
  readonly title: string;
  /** The process that does the work. */
  readonly subject: string;
  /** Whether Redis works for it, so that its CPU time is read too. */
  readonly usesRedis: boolean;
  /** Prepares a shot, which is not measured. What it resolves to is measured. */
  readonly begin: (subject: Subject) => Promise<(length: LoadLength) => Promise<Load>>;
}

/** Results of one shot of a cell. */
export interface Sample {
  /** CPU time of the process for one operation. */
  readonly cpuUs: number;
  /** CPU time of Redis for one operation, where the cell uses Redis. */
  readonly redisUs?: number;
  readonly perSecond: number;
  readonly bad: number;
}

/** Reads the CPU time that a Redis has used, in microseconds. */
export type RedisCpu = () => Promise<number>;

interface Shot {
  readonly length: LoadLength;
  /** Given where the cell uses Redis. */
  readonly redisCpu: RedisCpu | undefined;
  /** Milliseconds to wait after a shot, so that work it left behind (a task that completes after its answer) counts for it. @default 20 */
  readonly settleMs?: number;
}

/** Measures a cell once. */
export async function shoot(cell: Cell, subject: Subject, { length, redisCpu, settleMs = 20 }: Shot): Promise<Sample> {
  const run = await cell.begin(subject);
  const redisBefore = await redisCpu?.();
  const before = await subject.cpu();
  const { operations, bad, wallMs } = await run(length);
  await sleep(settleMs);
  const cpuUs = ((await subject.cpu()) - before) / operations;
  const perSecond = (operations / wallMs) * 1000;
  if (redisCpu === undefined) return { cpuUs, perSecond, bad };
  return { cpuUs, redisUs: ((await redisCpu()) - redisBefore!) / operations, perSecond, bad };
}
