import { ForbiddenException, type CanActivate, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { ApplicationConfig, ExternalContextCreator } from '@nestjs/core';
import { isObservable, lastValueFrom } from 'rxjs';
import { contextTypeOf } from '../../dispatch/exchange.js';
import { isThenable, whenReady, type MaybePromise } from '../../protocol/maybe-promise.js';
import { BOUNDARY, resubscribed } from './boundary.interceptor.js';
import { FilterChain } from './filter-chain.js';
import type { FilterAnswer, HandlerPipeline, PipelineRun } from '../run/prepared-handler.js';
import { ENDPOINT_GUARD, GUARDS_PASSED_GUARD } from './framework-guards.js';
import type { HandlerCall } from '../run/handler-call.js';
import type { HandlerHost } from './handler-host.js';
import { answeredBy, notingGuards, settledOrAnswered } from './noting-guards.js';
import { methodOf, type MethodRef } from '../../nest/metadata.js';
import { openGate, runPass, type CallPass, type PassBody } from '../run/run-pass.js';
import { withTransformingPipes } from './transforming-pipes.js';
import { bindParams, compileParams, type CompiledParam } from './compile-params.js';
import { Value, runChain, type Given } from './interceptor-chain.js';
import { executionContext, fixedEnhancers, inModule } from './nest-internals.js';

/** A handler's place in the application. */
export interface PipelineParts {
  readonly host: HandlerHost;
  readonly ref: MethodRef;
  readonly config: ApplicationConfig;
}

/**
 * A handler and everything around it, found once, at boot: for a host whose whole tree is static. Each call goes the shortest way that keeps
 * Nest's order, and waits only where an enhancer or the body does.
 */
export class CompiledPipeline implements HandlerPipeline {
  readonly instance: object;
  readonly method: (...args: unknown[]) => unknown;
  /** The application's guards. After them the endpoint's guards run and the caller is settled. */
  readonly globalGuards: readonly CanActivate[];
  /** The guards of class and method. */
  readonly ownGuards: readonly CanActivate[];
  readonly interceptors: readonly NestInterceptor[];
  readonly params: readonly CompiledParam[];
  readonly filters: FilterChain;
  /** Whether anything around the method sees the response. */
  readonly showsResponse: boolean;

  constructor(creator: ExternalContextCreator, { host, ref, config }: PipelineParts) {
    const own = notingGuards(withTransformingPipes(inModule(creator, host.moduleKey)));
    this.instance = host.fixed;
    this.method = methodOf(ref);
    const enhancers = fixedEnhancers(own, { host, method: this.method });
    const { guards } = enhancers;
    const entrance = guards.indexOf(ENDPOINT_GUARD);
    this.globalGuards = guards.slice(0, entrance);
    this.ownGuards = guards.slice(entrance + 1).filter((guard) => guard !== GUARDS_PASSED_GUARD);
    this.interceptors = enhancers.interceptors.filter((interceptor) => interceptor !== BOUNDARY);
    this.params = compileParams(ref, enhancers);
    this.filters = new FilterChain(own, { host, ref, config });
    this.showsResponse = guards.length > 2 || this.interceptors.length > 0 || this.params.some(({ custom }) => custom !== undefined);
  }

  begin(call: HandlerCall): PipelineRun {
    return new CompiledRun(this, call);
  }
}

/** One execution of a compiled handler. */
class CompiledRun implements PipelineRun, PassBody {
  private arguments?: unknown[];
  private guarded?: ExecutionContext;

  constructor(
    private readonly pipeline: CompiledPipeline,
    private readonly call: HandlerCall,
  ) {}

  enter(): MaybePromise<unknown> {
    const { call, pipeline } = this;
    const { globalGuards } = pipeline;
    let passed: MaybePromise<void>;
    if (call.guards === 'skip') passed = call.skipGuards();
    else if (call.isInside) passed = this.passOwnGuards();
    else passed = globalGuards.length === 0 ? this.enterEndpoint() : whenReady(this.ask(globalGuards, 0), () => this.enterEndpoint());
    return isThenable(passed) ? passed.then(() => this.intercepted()) : this.intercepted();
  }

  filter(error: unknown): Promise<FilterAnswer> {
    const { args, call, pipeline } = this;
    const host = { instance: pipeline.instance };
    return pipeline.filters.apply(error, {
      args,
      response: call.response,
      type: contextTypeOf(call.request),
      host,
      inquirerId: undefined,
    });
  }

  private get args(): unknown[] {
    const { request, response } = this.call;
    return (this.arguments ??= [request, response, undefined, this.call]);
  }

  /** The context that enhancers see. Each kind gets its own, as from Nest. */
  private context(): ExecutionContext {
    const { instance, method } = this.pipeline;
    return executionContext({ args: this.args, instance, method, type: contextTypeOf(this.call.request) });
  }

  private enterEndpoint(): MaybePromise<void> {
    const entered = this.call.enterEndpoint(() => this.guardContext);
    return isThenable(entered) ? entered.then(() => this.passOwnGuards()) : this.passOwnGuards();
  }

  private passOwnGuards(): MaybePromise<void> {
    const { call, pipeline } = this;
    if (this.arguments !== undefined) this.mustBeUnanswered();
    return pipeline.ownGuards.length === 0 ? call.guardsPassed() : whenReady(this.ask(pipeline.ownGuards, 0), () => call.guardsPassed());
  }

  private get guardContext(): ExecutionContext {
    return (this.guarded ??= this.context());
  }

  private ask(guards: readonly CanActivate[], from: number): MaybePromise<void> {
    for (let index = from; index < guards.length; index += 1) {
      const guard = guards[index]!;
      this.call.guard = guard;
      const said: unknown = guard.canActivate(this.guardContext);
      if (typeof said !== 'boolean') return this.awaited(said).then(() => this.ask(guards, index + 1));
      if (!said) throw forbidden();
      this.mustBeUnanswered();
    }
  }

  /** @throws HttpException when a guard has answered the response: its answer is given, whatever it says after that */
  private mustBeUnanswered(): void {
    if (this.call.response.isAnswered) throw answeredBy(this.call.response);
  }

  private async awaited(said: unknown): Promise<void> {
    if (!(await settledOrAnswered(settled(said), this.call.response))) throw forbidden();
    this.mustBeUnanswered();
  }

  private intercepted(): MaybePromise<unknown> {
    const { call, pipeline } = this;
    const { interceptors } = pipeline;
    if (interceptors.length === 0) return runPass(call, this);
    const innermost = (): MaybePromise<Given> => resubscribed(call) ?? whenReady(runPass(call, this), asValue);
    return runChain({ interceptors, context: this.context(), innermost });
  }

  body(current: CallPass): MaybePromise<unknown> {
    const bound = bindParams(this.pipeline.params, current, () => this.context());
    return isThenable(bound) ? bound.then((args) => this.throughGate(current, args)) : this.throughGate(current, bound);
  }

  private throughGate(current: CallPass, args: unknown[]): MaybePromise<unknown> {
    const opening = openGate(current);
    return isThenable(opening) ? opening.then(() => this.invoke(args)) : this.invoke(args);
  }

  private invoke(args: unknown[]): MaybePromise<unknown> {
    const { instance, method } = this.pipeline;
    const returned: unknown = method.apply(instance, args);
    if (isThenable(returned)) return returned.then(lastOf);
    return isObservable(returned) ? lastOf(returned) : returned;
  }
}

/** The decision that follows from a guard's answer. */
async function settled(said: unknown): Promise<boolean> {
  const value = await said;
  return (isObservable(value) ? await lastValueFrom(value) : value) as boolean;
}

/** The value of a method, which may return a stream: then its last one. */
function lastOf(value: unknown): MaybePromise<unknown> {
  return isObservable(value) ? lastValueFrom(value, { defaultValue: undefined }) : value;
}

function asValue(value: unknown): Value {
  return new Value(value);
}

function forbidden(): ForbiddenException {
  return new ForbiddenException('Forbidden resource');
}
