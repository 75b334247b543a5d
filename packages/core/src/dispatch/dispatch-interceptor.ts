import { promiseOf, type MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult } from '../protocol/messages.js';
import type { DispatchContext } from './dispatch-context.js';

/**
 * Wraps the answering of a request: `tools/call` and the methods of extensions. Per request, ordered
 * (`@McpSeam('dispatch-interceptor', { order })`, lower is outermost). It may proceed, own the answer, or abort by
 * throwing an `McpError`. It runs after the target was resolved and before any guard, so an interceptor that owns the
 * answer also replaces guards and validation.
 */
export interface McpDispatchInterceptor {
  /**
   * Whether `intercept` is called for this request. Asked for each, so answer at once; without it, every request is intercepted. A request that
   * concerns no interceptor is answered without waiting, if nothing else waits.
   */
  concerns?(context: DispatchContext): boolean;
  intercept(context: DispatchContext, next: () => Promise<McpResult>): Promise<McpResult>;
}

/** Something under way that carries the context interceptors see. */
export interface Interceptable {
  readonly context: DispatchContext;
}

/** Answers one request. It may throw instead of rejecting. */
export type Answer<Run extends Interceptable> = (run: Run) => MaybePromise<McpResult>;

/**
 * Folds the interceptors around `innermost`, once, at boot; the first of the list is outermost. This is the only place that orders them.
 */
export function composeDispatchInterceptors<Run extends Interceptable>(
  interceptors: readonly McpDispatchInterceptor[],
  innermost: Answer<Run>,
): Answer<Run> {
  return interceptors.reduceRight<Answer<Run>>(
    (next, interceptor) => (run) => {
      if (interceptor.concerns?.(run.context) === false) return next(run);
      return interceptor.intercept(run.context, () => {
        const result = promiseOf(() => next(run));
        // An interceptor that gives up waiting, as a timeout does, must not leave an unhandled rejection: it would end the process.
        result.catch(ignore);
        return result;
      });
    },
    innermost,
  );
}

function ignore(): void {}
