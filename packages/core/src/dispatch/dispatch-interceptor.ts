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
