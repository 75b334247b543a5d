import type { McpResult } from '../protocol/messages.js';
import type { DispatchContext } from './dispatch-context.js';

/**
 * Wraps the answering of a request: `tools/call` and the methods of extensions. Per request, ordered (`@McpSeam('dispatch-interceptor', { order })`, lower is
 * outermost). It may proceed, own the answer, or abort by throwing an `McpError`. It runs after the target was resolved and before any guard,
 * so whoever owns the answer owns guards and validation too.
 */
export interface McpDispatchInterceptor {
  intercept(context: DispatchContext, next: () => Promise<McpResult>): Promise<McpResult>;
}
