import type { CallPass } from '../nest/pass-scope.js';
import { QuietPromise } from '../../replay/quiet-promise.js';
import { handlerContext, type McpHandlerContext } from './handler-context.js';

/** What a tool's method can do beyond returning: what every handler can, and become a task. */
export interface McpToolContext extends McpHandlerContext {
  /** Becomes a task here, where the tool's admission is `manual` and the client can poll; otherwise goes on at once. */
  becomeTask(): Promise<void>;
}

/** The context of one pass of a tool's call. */
export function toolContext(current: CallPass): McpToolContext {
  // Not by a spread, which would look at the signal.
  return Object.assign(handlerContext(current), { becomeTask: () => QuietPromise.of(current.pass.becomeTask()) });
}
