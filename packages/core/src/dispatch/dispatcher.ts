import { declaresExtension } from '../envelope/client-capabilities.js';
import { negotiateVersion } from '../envelope/negotiate-version.js';
import { parseEnvelope, type RequestEnvelope } from '../envelope/request-envelope.js';
import type { McpPrincipal } from '../envelope/principal.js';
import { isEntranceRefusal } from '../errors/refusals.js';
import { errorToJsonRpc, type ErrorMapping } from '../errors/error-to-json-rpc.js';
import { McpError, missingCapability } from '../errors/mcp.error.js';
import { ErrorCode, PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '../protocol/vocabulary.js';
import { type JsonObject, UNCHANGING } from '../protocol/json.js';
import { SERVER_INFO_META_KEY, type Implementation } from '../protocol/official.js';
import { isThenable, whenReady, type MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult, NotificationMessage, RequestId, RequestMessage } from '../protocol/messages.js';
import { misfitText } from '../protocol/shapes/shape.js';
import type { DispatchContext, DispatchTarget, GuardMark } from './dispatch-context.js';
import { composeDispatchInterceptors, type Answer, type McpDispatchInterceptor } from './dispatch-interceptor.js';
import type { EndpointGate, Entering } from './endpoint-gate.js';
import { checkNameHeader, checkNotificationHeaders, checkPlainHeader, METHOD_HEADER, REVISION_HEADER } from './routing-headers.js';
import type { Exchange, RoutingHeaders } from './exchange.js';
import type { DispatchReply, MessageDispatcher } from './message-dispatcher.js';
import type { MethodEntry, MethodTable } from './method-table.js';
import type { RoutedParamTable } from './routed-param-table.js';

/** Parts of a dispatcher. */
export interface DispatcherParts {
  /** The name of the endpoint whose requests it answers. */
  readonly endpoint: string;
  readonly methods: MethodTable;
  readonly routedParams: RoutedParamTable;
  /** The first is outermost. */
  readonly interceptors: readonly McpDispatchInterceptor[];
  readonly gate: EndpointGate;
  /** Stamped on every result; undefined: results do not say who made them. */
  readonly serverInfo: Implementation | undefined;
  readonly errors: ErrorMapping;
}

/** The context while dispatch still fills it in; methods and interceptors see it as read-only. */
interface OpenContext extends DispatchContext {
  readonly entry: MethodEntry;
  readonly guards: GuardMark;
  target?: DispatchTarget | undefined;
  principal?: McpPrincipal | undefined;
}

/** How far a request has come, for the error that may end it. */
interface Progress {
  readonly message: RequestMessage;
  readonly exchange: Exchange;
  readonly guards: GuardMark;
  context: OpenContext | undefined;
  /** The handler that the params name. */
  handler: object | undefined;
}

/**
 * The spine of a request: envelope, routing headers, method, interceptors, gate, answer; and the one catch. The order of the checks is
 * that of the protocol's probes, which contradict each other under any other (MCP basic "Error codes", transports "Server validation").
 * Whatever is found wrong is answered only after the guards let the caller in; if they refuse, the refusal is the answer.
 */
export class Dispatcher implements MessageDispatcher {
  private readonly answerIntercepted: Answer<OpenContext>;
  private readonly stamp: JsonObject | undefined;
  /** Results that never change, with their stamp: each is checked and stamped once. */
  private readonly finished = new WeakMap<McpResult, McpResult>();

  // Inside the interceptors, so whoever owns the answer owns the guards too. An interceptor may try again: the caller is settled once.
  private readonly answer = (context: OpenContext): MaybePromise<McpResult> => {
    const { method } = context.entry;
    if (method.guards === 'handler' || context.guards.asked === 'endpoint') return method.handle(context);
    return whenReady(this.enter(context), () => method.handle(context));
  };

  constructor(private readonly parts: DispatcherParts) {
    this.answerIntercepted = composeDispatchInterceptors(parts.interceptors, this.answer);
    this.stamp = parts.serverInfo && { [SERVER_INFO_META_KEY]: parts.serverInfo };
  }

  dispatch(message: RequestMessage, exchange: Exchange): MaybePromise<DispatchReply> {
    const progress: Progress = { message, exchange, guards: { asked: 'none' }, context: undefined, handler: undefined };
    try {
      const result = this.run(progress);
      return isThenable(result) ? this.settled(progress, result) : this.finish(progress, result);
    } catch (thrown) {
      return this.failed(progress, thrown);
    }
  }

  private async settled(progress: Progress, result: Promise<McpResult>): Promise<DispatchReply> {
    try {
      return this.finish(progress, await result);
    } catch (thrown) {
      return this.failed(progress, thrown);
    }
  }

  async admit(entering: Entering): Promise<DispatchReply | undefined> {
    try {
      await this.parts.gate.enter(entering);
      return undefined;
    } catch (refusal) {
      return this.fault(undefined, refusal);
    }
  }

  /**
   * The revision gives no notification of a client any effect here: unknown ones are ignored, and so is `notifications/cancelled`,
   * since ids of different clients collide. A transport with one client per connection acts on that one itself.
   */
  notify(message: NotificationMessage, headers?: RoutingHeaders): DispatchReply | undefined {
    try {
      if (headers !== undefined) checkNotificationHeaders(message, headers);
      return undefined;
    } catch (thrown) {
      return this.fault(undefined, thrown);
    }
  }

  fault(message: RequestMessage | undefined, thrown: unknown): DispatchReply {
    const { error, status } = errorToJsonRpc(thrown, this.parts.errors, message?.method);
    const refused = isEntranceRefusal(thrown) ? { refused: true } : {};
    return { message: message === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id: message.id, error }, status, ...refused };
  }

  /**
   * The boundary of every result on its way out: it has the revision's shape, and gets the stamp of who made it (MCP basic "_meta",
   * `serverInfo`). The result is left as it is, frozen or not, and a stamp of its own stays.
   */
  private finish({ message, context }: Progress, result: McpResult): DispatchReply {
    let sent = this.finished.get(result);
    if (sent === undefined) {
      const misfit = context!.entry.shape(result);
      if (misfit !== undefined)
        throw new TypeError(`The result of "${message.method}" does not conform to the protocol: ${misfitText(misfit, 'result')}`);
      const { stamp } = this;
      const _meta = result._meta === undefined ? stamp : { ...stamp, ...(result._meta as object) };
      // Assigned, since V8 makes a hidden class for each object that gains a member after a spread, and encodes it slowly.
      sent = stamp === undefined ? result : Object.assign({}, result, { _meta });
      if (UNCHANGING.has(result)) {
        if (sent !== result) UNCHANGING.set(sent, undefined);
        this.finished.set(result, sent);
      }
    }
    return { message: { jsonrpc: '2.0', id: message.id, result: sent }, status: 200 };
  }

  private failed(progress: Progress, thrown: unknown): MaybePromise<DispatchReply> {
    const { message, exchange } = progress;
    if (isAbortOf(exchange, thrown)) return abortedReply(message.id);
    return this.refusalOr(thrown, progress).then((error) => this.fault(message, error));
  }

  /** The answer instead of an error: the refusal of the guards that have not run yet, or else the error. */
  private async refusalOr(thrown: unknown, { exchange, guards, context, handler }: Progress): Promise<unknown> {
    const about = handler ?? context?.target?.handler;
    if (guards.asked === 'all' || (guards.asked === 'endpoint' && !about)) return thrown;
    try {
      if (context && about) await this.parts.gate.judge({ exchange, envelope: context.envelope, params: context.params, handler: about });
      else await this.parts.gate.enter({ exchange });
      return thrown;
    } catch (refusal) {
      return refusal;
    }
  }

  private run(progress: Progress): MaybePromise<McpResult> {
    const { message, exchange, guards } = progress;
    const envelope = exchange.envelope ?? parseEnvelope(message.params);
    const params = message.params ?? {};
    const { headers } = exchange;
    if (headers !== undefined) checkPlainHeader(headers, REVISION_HEADER, envelope.protocolVersion);
    if (exchange.envelope === undefined && envelope.protocolVersion !== PROTOCOL_VERSION) negotiateVersion(envelope.protocolVersion);
    if (headers !== undefined) checkPlainHeader(headers, METHOD_HEADER, message.method);
    const entry = this.parts.methods.get(message.method);
    if (entry === undefined) throw methodNotFound(message.method);
    if (headers !== undefined) checkNameHeader(headers, this.parts.routedParams.get(message.method), params);
    const { method } = entry;
    if (method.requiredExtension !== undefined) requireExtension(method.name, method.requiredExtension, envelope);
    const context: OpenContext = {
      id: message.id,
      endpoint: this.parts.endpoint,
      method: message.method,
      params,
      envelope,
      exchange,
      guards,
      entry,
      target: undefined,
      principal: undefined,
    };
    progress.context = context;
    const answer = entry.intercepted ? this.answerIntercepted : this.answer;
    if (method.resolve === undefined) return answer(context);
    const found = (handler: object): void => void (progress.handler = handler);
    const target = method.resolve(context, async () => this.enter(context), found);
    if (isThenable(target)) return target.then((resolved) => answer(Object.assign(context, { target: resolved })));
    context.target = target;
    return answer(context);
  }

  private enter(context: OpenContext): MaybePromise<McpPrincipal | undefined> {
    const { guards } = context;
    if (guards.asked === 'endpoint') return context.principal;
    // Set before the guards say anything: one that refuses has been asked.
    guards.asked = 'all';
    return whenReady(this.parts.gate.enter(context), (principal) => {
      if (principal) context.principal = principal;
      guards.asked = 'endpoint';
      return principal;
    });
  }
}

function requireExtension(name: string, id: string, envelope: RequestEnvelope): void {
  if (declaresExtension(envelope.clientCapabilities, id)) return;
  throw missingCapability(`Method "${name}" needs the client to declare the extension "${id}"`, { extensions: { [id]: {} } });
}

// A client that opens with `initialize` belongs to an older revision and has no other way to learn which ones are served.
function methodNotFound(name: string): McpError {
  const data = name === 'initialize' ? { data: { supported: [...SUPPORTED_PROTOCOL_VERSIONS] } } : {};
  return new McpError(ErrorCode.MethodNotFound, 'Method not found', data);
}

// What an aborted request fails with is no fault of the server, and mostly nobody is left to read it.
function isAbortOf({ signal }: Exchange, thrown: unknown): boolean {
  if (!signal.aborted) return false;
  try {
    return thrown === signal.reason || (thrown instanceof Error && thrown.name === 'AbortError');
  } catch {
    return false;
  }
}

function abortedReply(id: RequestId): DispatchReply {
  return { message: { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message: 'The request was aborted' } }, status: 200 };
}
