import type { ExecutionContext } from '@nestjs/common';
import { describeValue } from '../compare/describe-value.js';

/** What happened inside of the application in one pass of a handler. */
export interface Pass {
  /** What the handler got, once for each time that it was entered. */
  readonly received: readonly string[];
  /** How often each spy was called. */
  readonly counts: Readonly<Record<string, number>>;
}

let received: string[] = [];
let spied: string[] = [];

/** Marks the classes whose enhancers count: a global guard also runs for `tasks/get`, as often as the client polls. */
export const SURFACE = Symbol('surface');

/** Says that something ran. A name that begins with "after" is something that a suspended handler does not reach. */
export function spy(name: string, context?: Pick<ExecutionContext, 'getClass'>): void {
  if (context && !(SURFACE in context.getClass())) return;
  spied.push(name);
}

/** Notes what the handler got, as it is now: what the handler does to it later does not count. */
export function enter(value: unknown): void {
  received.push(describeValue(value));
}

/** Ends a pass and begins the next. */
export function takePass(): Pass {
  const counts: Record<string, number> = {};
  for (const name of spied) counts[name] = (counts[name] ?? 0) + 1;
  const pass = { received, counts };
  received = [];
  spied = [];
  return pass;
}
