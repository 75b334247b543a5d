import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { GuardMark } from '../../dispatch/dispatch-context.js';
import type { McpPrincipal } from '../../envelope/principal.js';
import type { RequestEnvelope } from '../../envelope/request-envelope.js';
import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import type { JsonObject } from '../../protocol/json.js';
import { isThenable, type MaybePromise } from '../../protocol/maybe-promise.js';
import { Execution } from '../../replay/execution.js';
import type { Admission, ExecutionCarrier } from '../../replay/execution-carrier.js';
import type { ExecutionStart } from '../../replay/execution-start.js';
import { macrotask } from '../../replay/pending-window.js';
import type { ResponseFacade } from '../response/response-facade.js';
import { NOTHING_ANSWERED, type HandlerInvocation } from './invocation.js';
import { McpExecution, type ExecutionTrigger } from './mcp-execution.js';
import type { HandlerStrata } from './strata.js';
import type { ErrorTranslation } from '../../errors/error-translation.js';
import type { EndpointEntrance } from './endpoint-entrance.js';
import type { GuardRefusals } from '../failure/guard-refusals.js';
import type { HandlerFailure } from '../failure/handler-failure.js';
import type { ResponseStandIns } from '../response/response-headers.js';

/** Parts that every execution uses. */
export interface RunParts {
  readonly entrance: EndpointEntrance;
  readonly failure: HandlerFailure;
  readonly translation: ErrorTranslation;
  readonly refusals: GuardRefusals;
  readonly responses: ResponseStandIns;
  /** Receives errors that no client learns of. */
  readonly logger: { warn(line: string, ...details: readonly unknown[]): void; debug(line: string): void };
}

/**
 * How far an execution has come. What an error means follows from it, not from the error's class: up to `endpoint` a refusal to enter, in
 * `guards` a denial, in `arguments` invalid arguments, in `interceptors` and `body` the tool's own failure.
 */
export type CallStage = 'endpoint' | 'guards' | 'interceptors' | 'arguments' | 'body';

/** Parts that every call of an endpoint uses. */
export type CallParts = Pick<RunParts, 'entrance' | 'responses'>;

/** One execution of a handler inside Nest's pipeline: the state that the pieces standing around the author's method share. */
export class HandlerCall extends McpExecution implements ExecutionStart {
  readonly handler: HandlerDefinition;
  readonly arguments: JsonObject;
  readonly envelope: RequestEnvelope;
  readonly trigger: ExecutionTrigger;
  /** The value of `switchToHttp().getRequest()` and `@Inject(REQUEST)`. */
  readonly request: object;
  readonly strata: HandlerStrata;
  readonly carrier: ExecutionCarrier;
  readonly admission: Admission | undefined;
  readonly execution: Execution;
  /** The mark that the guards have run. */
  readonly mark: GuardMark | undefined;
  /** Whether the handler may ask anything: it has a context, and its client answers questions. */
  readonly mayAsk: boolean;
  readonly guards: 'run' | 'skip';
  readonly isInside: boolean = false;
  guard: CanActivate | undefined;
  /** Whether the ledger is there; always, where nothing was answered. */
  isLoaded: boolean;
  stage: CallStage = 'endpoint';
  /** How often the handler was subscribed to again after it had suspended. */
  resubscriptions = 0;
  private settledPrincipal: McpPrincipal | null | undefined;
  /** Nest's execution arguments, once something around the method has seen them. */
  seen: unknown[] | undefined;
  /** The context that its guards share, once one was asked. */
  guardContext: ExecutionContext | undefined;
  /** The passes that run; there only if the response may answer in their place. */
  bodies: Set<Promise<void>> | undefined;
  private facade?: ResponseFacade;

  constructor(
    private readonly invocation: HandlerInvocation,
    prepared: { readonly strata: HandlerStrata; readonly hasContext: boolean },
    private readonly common: CallParts,
  ) {
    super();
    const { target, envelope } = invocation;
    const { elicitation, sampling, roots } = envelope.clientCapabilities;
    this.handler = target.handler;
    this.arguments = target.arguments;
    this.envelope = envelope;
    this.trigger = invocation.trigger;
    this.request = invocation.request;
    this.strata = prepared.strata;
    this.carrier = invocation.carrier;
    this.mark = invocation.mark;
    this.guards = invocation.guards ?? 'run';
    this.isLoaded = invocation.ledger === NOTHING_ANSWERED;
    this.settledPrincipal = invocation.principal;
    this.mayAsk = prepared.hasContext && (elicitation ?? sampling ?? roots) !== undefined;
    this.admission = invocation.admission;
    this.execution = new Execution(this);
  }

  /** The HTTP response that enhancers see. It is made on first use. */
  get response(): ResponseFacade {
    return (this.facade ??= this.common.responses.make(this.invocation.responseHeaders));
  }

  get mode(): 'sync' | 'task' {
    return this.invocation.isTask === true || this.execution.admitted ? 'task' : 'sync';
  }

  get mayBecomeTask(): boolean {
    return this.invocation.isTask === true || this.admission !== undefined;
  }

  get principal(): McpPrincipal | undefined {
    return this.settledPrincipal ?? undefined;
  }

  get signal(): AbortSignal {
    return this.execution.signal;
  }

  override enterEndpoint(context: () => ExecutionContext): MaybePromise<void> {
    const { entrance } = this.common;
    if (!entrance.hasGuards) return this.settleCaller();
    return entrance.runGuards(context(), (guard) => (this.guard = guard)).then(() => this.settleCaller());
  }

  /** In place of every guard. @throws Error when nobody has said who the caller is */
  skipGuards(): MaybePromise<void> {
    if (this.settledPrincipal === undefined) throw new Error('Guards can be skipped only for a known caller');
    this.stage = 'guards';
    return this.guardsPassed();
  }

  override guardsPassed(): MaybePromise<void> {
    if (!this.strata.isEmpty) {
      const authorized = this.strata.run(['authorization'], this, () => undefined);
      if (isThenable(authorized)) return authorized.then(() => void (this.stage = 'interceptors'));
    }
    this.stage = 'interceptors';
  }

  /** Takes note of a pass while it runs. */
  running<T>(pass: Promise<T>): Promise<T> {
    const ended = pass.then(
      () => undefined,
      () => undefined,
    );
    this.bodies?.add(ended);
    void ended.then(() => this.bodies?.delete(ended));
    return pass;
  }

  /** Resolves a turn after no pass runs any more; undefined, so that who waits for a value gets none. */
  async whenNoBodyRuns(): Promise<undefined> {
    while (this.bodies !== undefined && this.bodies.size > 0) {
      await Promise.all(this.bodies);
      await macrotask();
    }
    return undefined;
  }

  /** Loads the ledger; call it once, when the caller is known and allowed: what a token holds is bound to its caller. */
  loadLedger(): void {
    const { ledger } = this.invocation;
    this.isLoaded = true;
    try {
      const { ledger: entries, offers } = typeof ledger === 'function' ? ledger(this.principal) : { ledger, offers: undefined };
      this.execution.load(entries, offers);
    } catch (error) {
      this.execution.fail(error);
      throw error;
    }
  }

  private settleCaller(): MaybePromise<void> {
    if (this.settledPrincipal === undefined) {
      const caller = this.common.entrance.principal(this.request);
      if (isThenable(caller)) {
        return caller.then((principal) => {
          this.settledPrincipal = principal ?? null;
          this.stage = 'guards';
        });
      }
      this.settledPrincipal = caller ?? null;
    }
    this.stage = 'guards';
  }
}
