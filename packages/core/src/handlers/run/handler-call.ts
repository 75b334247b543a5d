import type { ExecutionContext } from '@nestjs/common';
import type { McpPrincipal } from '../../envelope/principal.js';
import type { RequestEnvelope } from '../../envelope/request-envelope.js';
import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import type { JsonObject } from '../../protocol/json.js';
import { whenReady, type MaybePromise } from '../../protocol/maybe-promise.js';
import type { Execution } from '../../replay/execution.js';
import { macrotask } from '../../replay/pending-window.js';
import type { LoadedLedger } from '../../replay/wire-carrier.js';
import type { EndpointEntrance } from './endpoint-entrance.js';
import { McpExecution, type ExecutionTrigger } from './mcp-execution.js';
import type { HandlerStrata } from './strata.js';

/**
 * How far an execution has come. What an error means follows from it, not from the error's class: up to `endpoint` a refusal to enter, in
 * `guards` a denial, in `arguments` invalid arguments, in `interceptors` and `body` the tool's own failure.
 */
export type CallStage = 'endpoint' | 'guards' | 'interceptors' | 'arguments' | 'body';

/** Parts of a call. */
export interface HandlerCallParts {
  readonly handler: HandlerDefinition;
  readonly strata: HandlerStrata;
  readonly arguments: JsonObject;
  readonly envelope: RequestEnvelope;
  readonly trigger: ExecutionTrigger;
  readonly isTask: boolean;
  readonly execution: Execution;
  /** Undefined: not settled yet. Null: settled as anonymous. */
  readonly principal?: McpPrincipal | null | undefined;
  readonly entrance: EndpointEntrance;
  /** The request that guards see. */
  readonly request: object;
  readonly loadLedger: (principal: McpPrincipal | undefined) => LoadedLedger;
}

/** One execution of a handler inside Nest's pipeline: the state that the pieces standing around the author's method share. */
export class HandlerCall extends McpExecution {
  stage: CallStage = 'endpoint';
  /** How often the handler was subscribed to again after it had suspended. */
  resubscriptions = 0;
  private settledPrincipal: McpPrincipal | null | undefined;
  private loaded = false;
  private bodies?: Set<Promise<void>>;

  constructor(private readonly parts: HandlerCallParts) {
    super();
    this.settledPrincipal = parts.principal;
  }

  get handler(): HandlerDefinition {
    return this.parts.handler;
  }

  get arguments(): JsonObject {
    return this.parts.arguments;
  }

  get trigger(): ExecutionTrigger {
    return this.parts.trigger;
  }

  get mode(): 'sync' | 'task' {
    return this.parts.isTask || this.execution.admitted ? 'task' : 'sync';
  }

  get mayBecomeTask(): boolean {
    return this.parts.isTask || this.execution.admission !== undefined;
  }

  get envelope(): RequestEnvelope {
    return this.parts.envelope;
  }

  get principal(): McpPrincipal | undefined {
    return this.settledPrincipal ?? undefined;
  }

  get signal(): AbortSignal {
    return this.execution.signal;
  }

  get execution(): Execution {
    return this.parts.execution;
  }

  get strata(): HandlerStrata {
    return this.parts.strata;
  }

  override enterEndpoint(context: () => ExecutionContext): MaybePromise<void> {
    const { entrance } = this.parts;
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
    return whenReady(
      this.strata.run(['authorization'], this, () => undefined),
      () => {
        this.stage = 'interceptors';
      },
    );
  }

  /** Takes note of a pass while it runs. */
  running<T>(pass: Promise<T>): Promise<T> {
    const ended = pass.then(
      () => undefined,
      () => undefined,
    );
    const bodies = (this.bodies ??= new Set());
    bodies.add(ended);
    void ended.then(() => bodies.delete(ended));
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

  private settleCaller(): MaybePromise<void> {
    if (this.settledPrincipal !== undefined) {
      this.stage = 'guards';
      return;
    }
    return whenReady(this.parts.entrance.principal(this.parts.request), (principal) => {
      this.settledPrincipal = principal ?? null;
      this.stage = 'guards';
    });
  }

  /** Loads the ledger, once, when the caller is known and allowed: what a token holds is bound to its caller. */
  loadLedger(): void {
    if (this.loaded) return;
    this.loaded = true;
    try {
      const { ledger, offers } = this.parts.loadLedger(this.principal);
      this.execution.load(ledger, offers);
    } catch (error) {
      this.execution.fail(error);
      throw error;
    }
  }
}
