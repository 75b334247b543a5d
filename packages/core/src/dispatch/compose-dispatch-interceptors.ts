import { promiseOf, type MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult } from '../protocol/messages.js';
import type { DispatchContext } from './dispatch-context.js';
import type { McpDispatchInterceptor } from './dispatch-interceptor.js';

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
