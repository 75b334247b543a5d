import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpPrincipal } from '../envelope/principal.js';
import type { HandlerInvocation } from '../handlers/run/invocation.js';
import type { InputRequests } from '../protocol/input-requests.js';
import type { JsonObject } from '../protocol/json.js';
import type { McpResult } from '../protocol/messages.js';
import type { LedgerSnapshot } from '../replay/ledger-entry.js';
import type { RequestStateBinding } from '../replay/request-state-codec.js';
import type { WireCarrier } from '../replay/wire-carrier.js';
import { ROOT_ENDPOINT } from '../seams/mcp-endpoint.decorator.js';
import { requestCarrier, type RequestCarrierSettings } from './request-carrier.js';

/** What a call is bound to, from round to round: what it names, and with which arguments. */
export interface CallSubject {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What an execution left open: questions, its ledger, and whose it is. */
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

/** What was asked at one endpoint is answered at no other, whatever keys they share. */
function binding({ method, endpoint }: DispatchContext, subject: CallSubject, principal: McpPrincipal | undefined): RequestStateBinding {
  return {
    method: endpoint === ROOT_ENDPOINT ? method : `${endpoint} ${method}`,
    target: subject.name,
    arguments: subject.arguments,
    principalId: principal?.id,
  };
}
