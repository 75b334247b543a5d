import { promiseOf, type MaybePromise } from '../../protocol/maybe-promise.js';
import type { McpExecution } from './mcp-execution.js';

/**
 * Where among the layers around a handler an interceptor stands, outermost first. `correlation`, `observation` and `audit` wrap the whole of Nest's
 * pipeline, once per execution. `authorization` runs after every Nest guard, and refusing there is a denial. `validation` and `invocation`
 * run innermost, before each entering of the body: refusing in `validation` is an invalid argument.
 */
export const HANDLER_STRATA = ['correlation', 'observation', 'audit', 'authorization', 'validation', 'invocation'] as const;

/** The name of a stratum. */
export type HandlerStratum = (typeof HANDLER_STRATA)[number];

/** Wraps one stratum of a handler. It proceeds by `next`, or refuses by throwing. */
export type HandlerInterceptor = (execution: McpExecution, next: () => Promise<unknown>) => Promise<unknown>;

/** The interceptors of one handler by stratum, attached at boot. */
export class HandlerStrata {
  private readonly byStratum = new Map<HandlerStratum, HandlerInterceptor[]>();

  /** Whether no interceptor was attached to any stratum. */
  isEmpty = true;

  /** Attaches inside of those attached to the stratum before. */
  add(stratum: HandlerStratum, interceptor: HandlerInterceptor): void {
    this.isEmpty = false;
    this.byStratum.set(stratum, [...(this.byStratum.get(stratum) ?? []), interceptor]);
  }

  /** Runs `inner` inside of the given strata, the first of them outermost; at once where they hold no interceptor. */
  run<T>(strata: readonly HandlerStratum[], execution: McpExecution, inner: () => MaybePromise<T>): MaybePromise<T> {
    const interceptors = strata.flatMap((stratum) => this.byStratum.get(stratum) ?? []);
    if (interceptors.length === 0) return inner();
    const innermost = (): Promise<unknown> => promiseOf(inner);
    return interceptors.reduceRight<() => Promise<unknown>>(
      (next, interceptor) => () => interceptor(execution, next),
      innermost,
    )() as Promise<T>;
  }
}
