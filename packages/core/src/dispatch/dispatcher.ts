import { declaresExtension } from '../envelope/client-capabilities.js';
import { negotiateVersion } from '../envelope/negotiate-version.js';
import { parseEnvelope, type RequestEnvelope } from '../envelope/request-envelope.js';
import type { McpPrincipal } from '../envelope/principal.js';
import { isEntranceRefusal } from '../errors/refusals.js';
import { errorToJsonRpc, type ErrorMapping } from '../errors/error-to-json-rpc.js';
import { McpError, missingCapability } from '../errors/mcp.error.js';
import { ErrorCode, SUPPORTED_PROTOCOL_VERSIONS } from '../protocol/vocabulary.js';
import { isJsonObject, UNCHANGING } from '../protocol/json.js';
import { SERVER_INFO_META_KEY, type Implementation } from '../protocol/official.js';
import { isThenable, whenReady, type MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult, NotificationMessage, RequestId, RequestMessage } from '../protocol/messages.js';
import { misfitText } from '../protocol/shapes/shape.js';
import type { DispatchContext, DispatchTarget, GuardMark } from './dispatch-context.js';
import { composeDispatchInterceptors, type Answer, type McpDispatchInterceptor } from './dispatch-interceptor.js';
import type { EndpointGate, Entering } from './endpoint-gate.js';
import { checkNameHeader, checkNotificationHeaders, checkPlainHeader, METHOD_HEADER, REVISION_HEADER } from './routing-headers.js';
import type { Exchange, RoutingHeaders } from './exchange.js';
import type { McpMethod } from './mcp-method.js';
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
  readonly guards: GuardMark;
  target?: DispatchTarget | undefined;
  principal?: McpPrincipal | undefined;
}

interface Run {
  readonly context: OpenContext;
  readonly method: McpMethod;
  entered: boolean;
}

/** How far a request has come, for the error that may end it. */
interface Progress {
  readonly guards: GuardMark;
  context?: OpenContext;
  /** The handler that the params name. */
  handler?: object;
}

/**
 * The spine of a request: envelope, routing headers, method, interceptors, gate, answer; and the one catch. The order of the checks is
 * that of the protocol's probes, which contradict each other under any other (MCP basic "Error codes", transports "Server validation").
 * Whatever is found wrong is answered only after the guards let the caller in; if they refuse, the refusal is the answer.
 */
export class Dispatcher implements MessageDispatcher {
  private readonly answerIntercepted: Answer<Run>;
  private readonly conforming = new WeakSet<McpResult>();
  /** Unchanging results with their stamp. */
  private readonly stamped = new WeakMap<McpResult, McpResult>();

  // Inside the interceptors, so whoever owns the answer owns the guards too. An interceptor may try again: the caller is settled once.
  private readonly answer = (run: Run): MaybePromise<McpResult> => {
    const { context, method } = run;
    if (method.guards !== 'handler' && !run.entered) return whenReady(this.enter(run), () => this.answer(run));
    const result = method.handle(context);
    return isThenable(result) ? result.then((ready) => resultOf(ready, method)) : resultOf(result, method);
  };

  constructor(private readonly parts: DispatcherParts) {
    this.answerIntercepted = composeDispatchInterceptors<Run>(parts.interceptors, this.answer);
  }

  dispatch(message: RequestMessage, exchange: Exchange): MaybePromise<DispatchReply> {
    const progress: Progress = { guards: { asked: 'none' } };
    try {
      const result = this.run(message, exchange, progress);
      if (!isThenable(result)) return this.reply(message, result);
      return result
        .then((ready) => this.reply(message, ready))
        .catch((thrown: unknown) => this.failed(thrown, message, { exchange, progress }));
    } catch (thrown) {
      return this.failed(thrown, message, { exchange, progress });
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

  /** Stamps the result with who made it (MCP basic "_meta", `serverInfo`). The result is left as it is, frozen or not, and a stamp of its own stays. */
  private reply({ id }: RequestMessage, result: McpResult): DispatchReply {
    const { serverInfo } = this.parts;
    if (!serverInfo) return { message: { jsonrpc: '2.0', id, result }, status: 200 };
    const known = this.stamped.get(result);
    if (known !== undefined) return { message: { jsonrpc: '2.0', id, result: known }, status: 200 };
    const _meta = { [SERVER_INFO_META_KEY]: serverInfo, ...(result._meta as object | undefined) };
    const stamped = { ...result, _meta };
    if (UNCHANGING.has(result)) {
      UNCHANGING.set(stamped, undefined);
      this.stamped.set(result, stamped);
    }
    return { message: { jsonrpc: '2.0', id, result: stamped }, status: 200 };
  }

  private failed(
    thrown: unknown,
    message: RequestMessage,
    { exchange, progress }: { exchange: Exchange; progress: Progress },
  ): MaybePromise<DispatchReply> {
    if (isAbortOf(exchange, thrown)) return abortedReply(message.id);
    return this.refusalOr(thrown, exchange, progress).then((error) => this.fault(message, error));
  }

  /** The answer instead of an error: the refusal of the guards that have not run yet, or else the error. */
  private async refusalOr(thrown: unknown, exchange: Exchange, { guards, context, handler }: Progress): Promise<unknown> {
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

  private run(message: RequestMessage, exchange: Exchange, progress: Progress): MaybePromise<McpResult> {
    const envelope = exchange.envelope ?? parseEnvelope(message.params);
    const params = message.params ?? {};
    const { headers } = exchange;
    if (headers !== undefined) checkPlainHeader(headers, REVISION_HEADER, envelope.protocolVersion);
    if (exchange.envelope === undefined) negotiateVersion(envelope.protocolVersion);
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
      guards: progress.guards,
      target: undefined,
      principal: undefined,
    };
    progress.context = context;
    const run: Run = { context, method, entered: false };
    if (method.resolve === undefined) return this.answered(run, entry);
    const target = method.resolve(
      context,
      async () => this.enter(run),
      (handler) => void (progress.handler = handler),
    );
    if (isThenable(target)) return target.then((resolved) => this.answered(run, entry, resolved));
    return this.answered(run, entry, target);
  }

  private answered(run: Run, entry: MethodEntry, target?: DispatchTarget): MaybePromise<McpResult> {
    run.context.target = target;
    const result = entry.intercepted ? this.answerIntercepted(run) : this.answer(run);
    return isThenable(result) ? result.then((ready) => this.checked(ready, entry)) : this.checked(result, entry);
  }

  /** The boundary of every result on its way out: the revision's shape. Results that are kept and sent again, such as lists, are checked once. */
  private checked(result: McpResult, { method, shape, intercepted }: MethodEntry): McpResult {
    if (this.conforming.has(result)) return result;
    const misfit = shape(result);
    if (misfit !== undefined)
      throw new TypeError(`The result of "${method.name}" does not conform to the protocol: ${misfitText(misfit, 'result')}`);
    if (!intercepted) this.conforming.add(result);
    return result;
  }

  private enter(run: Run): MaybePromise<McpPrincipal | undefined> {
    const { context } = run;
    if (run.entered) return context.principal;
    // Set before the guards say anything: one that refuses has been asked.
    context.guards.asked = 'all';
    return whenReady(this.parts.gate.enter(context), (principal) => {
      context.guards.asked = 'endpoint';
      if (principal) context.principal = principal;
      run.entered = true;
      return principal;
    });
  }
}

// JavaScript callers return anything here.
function resultOf(result: McpResult, { name }: McpMethod): McpResult {
  if (isJsonObject(result) && typeof result.resultType === 'string') return result;
  throw new TypeError(`The method "${name}" returned a value that is not a result with a "resultType".`);
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
