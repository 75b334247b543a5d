import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpPrincipal } from '../envelope/principal.js';
import type { HandlerInvocation } from '../handlers/run/invocation.js';
import type { InputRequests, McpResult } from '../protocol/messages.js';
import type { JsonObject } from '../protocol/json.js';
import type { LedgerSnapshot } from '../replay/ledger-entry.js';
import type { RequestStateBinding } from '../replay/request-state-codec.js';
import type { WireCarrier } from '../replay/wire-carrier.js';
import { ROOT_ENDPOINT } from '../seams/endpoint.js';
import { requestCarrier, type RequestCarrierSettings } from './request-carrier.js';

/** The subject to which a call is bound from round to round: the name and the arguments. */
export interface CallSubject {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The state that an execution left open: questions, its ledger, and its owner. */
export interface OpenQuestions {
  readonly requests: InputRequests;
  readonly ledger: LedgerSnapshot;
  readonly principal: McpPrincipal | undefined;
}

/** The wire carrier of every method that runs a handler (MCP basic "Multi round-trip requests"): how a request becomes an execution, and how questions go out. */
export class CallWire {
  constructor(
    private readonly carrier: WireCarrier,
    private readonly settings: RequestCarrierSettings,
  ) {}

  /** The execution that the request asks for: its answers from the sealed token, its signal and progress those of the request. */
  execution(context: DispatchContext, subject: CallSubject): Omit<HandlerInvocation, 'handler'> {
    const { exchange, envelope, params, principal, guards } = context;
    return {
      arguments: subject.arguments,
      ledger: (caller) => this.carrier.open(params, binding(context, subject, caller)),
      envelope,
      trigger: 'call',
      request: exchange.request,
      ...(exchange.responseHeaders && { responseHeaders: exchange.responseHeaders }),
      ...(guards && { mark: guards }),
      carrier: requestCarrier(context, this.settings),
      ...(principal === undefined ? {} : { principal }),
    };
  }

  /** The `input_required` result. @throws Error when the ledger outgrows the token */
  ask(context: DispatchContext, subject: CallSubject, { requests, ledger, principal }: OpenQuestions): McpResult {
    return this.carrier.ask(requests, ledger, binding(context, subject, principal));
  }
}

/** Binds a question to its endpoint: no other endpoint accepts the answers, even if they share keys. */
function binding({ method, endpoint }: DispatchContext, subject: CallSubject, principal: McpPrincipal | undefined): RequestStateBinding {
  return {
    method: endpoint === ROOT_ENDPOINT ? method : `${endpoint} ${method}`,
    target: subject.name,
    arguments: subject.arguments,
    principalId: principal?.id,
  };
}
