import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import type { DispatchTarget, GuardMark } from '../../dispatch/dispatch-context.js';
import type { HeaderSink } from '../../dispatch/exchange.js';
import type { McpPrincipal } from '../../envelope/principal.js';
import type { RequestEnvelope } from '../../envelope/request-envelope.js';
import type { JsonObject } from '../../protocol/json.js';
import type { Admission, ExecutionCarrier } from '../../replay/execution-carrier.js';
import type { LedgerDrift } from '../../replay/ledger-drift.js';
import type { LedgerSnapshot } from '../../replay/ledger.js';
import type { LoadedLedger } from '../../replay/wire-carrier.js';
import type { ExecutionTrigger } from './mcp-execution.js';

/** The handler that a call names, and its arguments. `name` is the name or the URI in the request: the call is bound to it from round to round. */
export interface CallTarget<D extends HandlerDefinition = HandlerDefinition> extends DispatchTarget {
  readonly handler: D;
  readonly arguments: JsonObject;
}

/** The ledger of a call that nothing was answered to. */
export const NOTHING_ANSWERED: LedgerSnapshot = [];

/** One execution of a handler, on whichever carrier. */
export interface HandlerInvocation {
  readonly target: CallTarget;
  /** The answers so far, or how to find them once the caller is known. */
  readonly ledger: LedgerSnapshot | ((principal: McpPrincipal | undefined) => LoadedLedger);
  readonly envelope: RequestEnvelope;
  /** Undefined: settled by the principal source on the way in. Null: settled as anonymous, such as a task's stored caller. */
  readonly principal?: McpPrincipal | null | undefined;
  readonly trigger: ExecutionTrigger;
  /**
   * `skip` asks no guard, be it global, the endpoint's, the class's or the method's: for a caller that was let in before and whom `principal` names.
   * @default 'run'
   */
  readonly guards?: 'run' | 'skip' | undefined;
  /** Where the headers go that enhancers set on the response; undefined where no HTTP response waits. */
  readonly responseHeaders?: HeaderSink | undefined;
  /** The mark that the guards have run. */
  readonly mark?: GuardMark | undefined;
  /** The execution is an attempt of a task already. */
  readonly isTask?: boolean | undefined;
  /** The request that guards see: the live one, or a stand-in of the same shape, marked by `standInRequest`. */
  readonly request: object;
  readonly carrier: ExecutionCarrier;
  readonly admission?: Admission | undefined;
  /** See `ExecutionStart.onDrift`. */
  readonly onDrift?: ((drift: LedgerDrift) => void) | undefined;
}
