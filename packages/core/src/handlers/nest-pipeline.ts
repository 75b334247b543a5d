import type { ApplicationConfig, ExternalContextCreator } from '@nestjs/core';
import { contextTypeOf, type ContextType } from '../dispatch/stand-in-request.js';
import { FilterChain, type FilterAnswer } from './filter-chain.js';
import type { HandlerCall } from './handler-call.js';
import type { HandlerHost, HostInstance } from './handler-host.js';
import { paramsFactory } from './params-factory.js';
import { PREPARED_PARAMS_METADATA, methodOf, type HandlerRef } from './prepare-handler.js';
import { withTransformingPipes } from './transforming-pipes.js';
import { notingGuards } from './noting-guards.js';
import type { ResponseFacade } from './response-facade.js';

type Callable = (...args: unknown[]) => Promise<unknown>;

/** Which of the contexts around a handler: each is made once for a host that serves every call. */
interface Variant {
  readonly guards: 'run' | 'skip';
  readonly type: ContextType;
}

/** One handler inside Nest's pipeline for one execution: entered once, its filters asked only when it really failed. */
export interface PipelineRun {
  /** Guards, interceptors, pipes, body. Filters are left out: no filter and no log of Nest's ever sees a suspension. */
  enter(): Promise<unknown>;
  /** What the handler's filters make of an error. */
  filter(error: unknown): Promise<FilterAnswer>;
}

/** What an execution begins with. */
export interface PipelineStart {
  /** What `switchToHttp().getRequest()` and `@Inject(REQUEST)` give. */
  readonly request: object;
  readonly response: ResponseFacade;
  readonly guards: 'run' | 'skip';
}

/** A prepared handler: made at boot, run for every execution. */
export class NestPipeline {
  private readonly creator: ExternalContextCreator;
  private readonly filters: FilterChain;
  private readonly fixed = new Map<string, Callable>();

  private readonly host: HandlerHost;
  private readonly ref: HandlerRef;

  constructor(creator: ExternalContextCreator, { host, ref, config }: { host: HandlerHost; ref: HandlerRef; config: ApplicationConfig }) {
    this.host = host;
    this.ref = ref;
    this.creator = notingGuards(withTransformingPipes(inModule(creator, host.moduleKey)));
    this.filters = new FilterChain(this.creator, { host, ref, config });
  }

  /** Builds what can be built before the first call. */
  prepare(): void {
    if (!this.host.isStatic) return;
    this.fixedFor({ guards: 'run', type: 'http' });
  }

  async begin(call: HandlerCall, { request, response, guards }: PipelineStart): Promise<PipelineRun> {
    const host = await this.host.resolve(request);
    const variant: Variant = { guards, type: contextTypeOf(request) };
    const run = this.host.isStatic ? this.fixedFor(variant) : this.create(host, variant);
    const args = [request, response, undefined, call];
    return {
      enter: guards === 'run' ? () => run(...args) : () => call.skipGuards().then(() => run(...args)),
      filter: (error) => this.filters.apply(error, { args, response, type: variant.type, host, inquirerId: this.inquirerId(host) }),
    };
  }

  private fixedFor(variant: Variant): Callable {
    const key = `${variant.type} ${variant.guards}`;
    const known = this.fixed.get(key);
    if (known) return known;
    const made = this.create({ instance: this.host.fixed }, variant);
    this.fixed.set(key, made);
    return made;
  }

  private create(host: HostInstance, { guards, type }: Variant): Callable {
    return this.creator.create(
      host.instance,
      methodOf(this.ref),
      this.ref.methodName,
      PREPARED_PARAMS_METADATA,
      paramsFactory,
      host.contextId,
      this.inquirerId(host),
      { guards: guards === 'run', interceptors: true, filters: false },
      type as never,
    );
  }

  private inquirerId(host: HostInstance): string | undefined {
    return host.contextId ? this.host.wrapper.id : undefined;
  }
}

/** Nest looks a host's enhancers up by its module, which it finds for providers alone; here the module is known. */
function inModule(creator: ExternalContextCreator, moduleKey: string): ExternalContextCreator {
  return Object.create(creator, {
    getHostModuleKey: { value: () => moduleKey },
    getContextModuleKey: { value: () => moduleKey },
  }) as ExternalContextCreator;
}
