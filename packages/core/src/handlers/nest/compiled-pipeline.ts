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
export class CompiledPipeline implements HandlerPipeline, PipelineRun, PassBody {
  readonly run = this;
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

  enter(call: HandlerCall): MaybePromise<unknown> {
    const passed = call.guards === 'skip' ? call.skipGuards() : this.passGuards(call, call.isInside ? 'own' : 'application');
    return isThenable(passed) ? passed.then(() => this.intercepted(call)) : this.intercepted(call);
  }

  filter(error: unknown, call: HandlerCall): Promise<FilterAnswer> {
    const { response, request } = call;
    const host = { instance: this.instance };
    return this.filters.apply(error, { args: seenBy(call), response, type: contextTypeOf(request), host, inquirerId: undefined });
  }

  body(current: CallPass): MaybePromise<unknown> {
    const bound = bindParams(this.params, current, this);
    return isThenable(bound) ? bound.then((args) => this.throughGate(current, args)) : this.throughGate(current, bound);
  }

  /** The context that enhancers see. Each kind gets its own, as from Nest. */
  context(call: HandlerCall): ExecutionContext {
    const { instance, method } = this;
    return executionContext({ args: seenBy(call), instance, method, type: contextTypeOf(call.request) });
  }

  /** Asks the guards from a group on, in Nest's order: the application's, then the endpoint's and who is calling, then those of class and method. */
  private passGuards(call: HandlerCall, from: 'application' | 'endpoint' | 'own'): MaybePromise<void> {
    const { globalGuards, ownGuards } = this;
    if (from === 'application' && globalGuards.length > 0) {
      const asked = this.ask(globalGuards, call);
      if (isThenable(asked)) return asked.then(() => this.passGuards(call, 'endpoint'));
    }
    if (from !== 'own') {
      const entered = call.enterEndpoint(() => this.guardContext(call));
      if (isThenable(entered)) return entered.then(() => this.passGuards(call, 'own'));
    }
    // The endpoint's guards may have answered.
    if (call.seen !== undefined) mustBeUnanswered(call);
    return ownGuards.length === 0 ? call.guardsPassed() : whenReady(this.ask(ownGuards, call), () => call.guardsPassed());
  }

  private ask(guards: readonly CanActivate[], call: HandlerCall, from = 0): MaybePromise<void> {
    for (let index = from; index < guards.length; index += 1) {
      const guard = guards[index]!;
      call.guard = guard;
      const said: unknown = guard.canActivate(this.guardContext(call));
      if (typeof said !== 'boolean') return allowed(said, call).then(() => this.ask(guards, call, index + 1));
      if (!said) throw forbidden();
      mustBeUnanswered(call);
    }
  }

  private guardContext(call: HandlerCall): ExecutionContext {
    return (call.guardContext ??= this.context(call));
  }

  private intercepted(call: HandlerCall): MaybePromise<unknown> {
    const { interceptors } = this;
    if (interceptors.length === 0) return runPass(call, this);
    const innermost = (): MaybePromise<Given> => resubscribed(call) ?? whenReady(runPass(call, this), asValue);
    return runChain({ interceptors, context: this.context(call), innermost });
  }

  private throughGate(current: CallPass, args: unknown[]): MaybePromise<unknown> {
    const opening = openGate(current);
    return isThenable(opening) ? opening.then(() => this.invoke(current.call, args)) : this.invoke(current.call, args);
  }

  private invoke(call: HandlerCall, args: unknown[]): MaybePromise<unknown> {
    call.stage = 'body';
    const returned: unknown = this.method.apply(this.instance, args);
    if (isThenable(returned)) return returned.then(lastOf);
    return isObservable(returned) ? lastOf(returned) : returned;
  }
}

/** Nest's execution arguments. */
function seenBy(call: HandlerCall): unknown[] {
  return (call.seen ??= [call.request, call.response, undefined, call]);
}

/** @throws HttpException when a guard has answered the response: its answer is given, whatever it says after that */
function mustBeUnanswered({ response }: HandlerCall): void {
  if (response.isAnswered) throw answeredBy(response);
}

/** Waits for a guard's answer. */
async function allowed(said: unknown, call: HandlerCall): Promise<void> {
  if (!(await settledOrAnswered(settled(said), call.response))) throw forbidden();
  mustBeUnanswered(call);
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
