import type { CallPass } from '../run/run-pass.js';
import { QuietPromise } from '../../replay/quiet-promise.js';
import { handlerContext, type McpHandlerContext } from './handler-context.js';

/** The context of a tool's method: everything that every handler can do, and becoming a task. */
export interface McpToolContext extends McpHandlerContext {
  /** Becomes a task here, if the tool's admission is `manual` and the client can poll; otherwise returns at once. */
  becomeTask(): Promise<void>;
}

/** The context of one pass of a tool's call. */
export function toolContext(current: CallPass): McpToolContext {
  // Not by a spread, which would look at the signal.
  return Object.assign(handlerContext(current), { becomeTask: () => QuietPromise.of(current.pass.becomeTask()) });
}
