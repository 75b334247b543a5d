import type { McpPrincipal } from '../../envelope/principal.js';
import type { McpError } from '../../errors/mcp.error.js';
import type { InputRequests, McpResult } from '../../protocol/messages.js';
import type { LedgerSnapshot } from '../../replay/ledger.js';

/** The execution has ended with a result: of a tool, `isError` ones included. */
export interface Completed {
  readonly kind: 'completed';
  readonly result: McpResult;
  readonly ledger: LedgerSnapshot;
  readonly principal: McpPrincipal | undefined;
}

/** The execution has ended until its questions are answered: exactly those that it reached unanswered. */
export interface InputRequired {
  readonly kind: 'inputRequired';
  readonly requests: InputRequests;
  readonly ledger: LedgerSnapshot;
  readonly principal: McpPrincipal | undefined;
}

/** The execution has ended with a JSON-RPC error: a denial, an `McpError`, or a fault of the framework's own. */
export interface Failed {
  readonly kind: 'failed';
  readonly error: McpError;
}

/** How an execution of a handler ended, as its caller is to see it; the same for every kind of handler. */
export type CallOutcome = Completed | InputRequired | Failed;
