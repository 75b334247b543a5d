import { isJsonObject } from '../protocol/json.js';
import type { MaybePromise } from '../protocol/maybe-promise.js';
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

/** Answers one request. It may throw instead of rejecting. */
export type Answer<Context extends DispatchContext> = (context: Context) => MaybePromise<McpResult>;

/**
 * Folds the interceptors around `innermost`, once, at boot; the first of the list is outermost. This is the only place that orders them.
 */
export function composeDispatchInterceptors<Context extends DispatchContext>(
  interceptors: readonly McpDispatchInterceptor[],
  innermost: Answer<Context>,
): Answer<Context> {
  return interceptors.reduceRight<Answer<Context>>(
    (next, interceptor) => (context) => {
      if (interceptor.concerns?.(context) === false) return next(context);
      return interceptor.intercept(context, () => {
        const result = resultOf(context, next);
        // An interceptor that gives up waiting, as a timeout does, must not leave an unhandled rejection: it would end the process.
        result.catch(ignore);
        return result;
      });
    },
    innermost,
  );
}

// JavaScript methods answer with anything, and an interceptor reads a result.
async function resultOf<Context extends DispatchContext>(context: Context, answer: Answer<Context>): Promise<McpResult> {
  const result = await answer(context);
  if (isJsonObject(result) && typeof result.resultType === 'string') return result;
  throw new TypeError(`The method "${context.method}" returned a value that is not a result with a "resultType".`);
}

function ignore(): void {}
