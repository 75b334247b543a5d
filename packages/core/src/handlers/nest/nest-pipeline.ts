import type { ExternalContextCreator } from '@nestjs/core';
import { contextTypeOf } from '../../dispatch/exchange.js';
import { FilterChain } from './filter-chain.js';
import type { HandlerCall } from '../run/handler-call.js';
import type { HandlerHost } from './handler-host.js';
import type { HandlerPipeline, PipelineRun } from '../run/prepared-handler.js';
import type { PipelineParts } from './compiled-pipeline.js';
import { inModule } from './nest-internals.js';
import { paramsFactory } from './compile-params.js';
import { PREPARED_PARAMS_METADATA } from './prepare-handler.js';
import { methodOf, type MethodRef } from '../../nest/metadata.js';
import { withTransformingPipes } from './transforming-pipes.js';
import { notingGuards } from './noting-guards.js';

/** A handler whose host, or something around it, is made for each execution: Nest makes it and runs what stands around it. */
export class NestPipeline implements HandlerPipeline {
  readonly showsResponse = true;
  private readonly creator: ExternalContextCreator;
  private readonly filters: FilterChain;
  private readonly host: HandlerHost;
  private readonly ref: MethodRef;

  constructor(creator: ExternalContextCreator, { host, ref, config }: PipelineParts) {
    this.host = host;
    this.ref = ref;
    this.creator = notingGuards(withTransformingPipes(inModule(creator, host.moduleKey)));
    this.filters = new FilterChain(this.creator, { host, ref, config });
  }

  readonly run = async (call: HandlerCall): Promise<PipelineRun> => {
    const { request, response, guards } = call;
    const host = await this.host.resolve(request);
    const type = contextTypeOf(request);
    const inquirerId = host.contextId ? this.host.wrapper.id : undefined;
    const run = this.creator.create(
      host.instance,
      methodOf(this.ref),
      this.ref.methodName,
      PREPARED_PARAMS_METADATA,
      paramsFactory,
      host.contextId,
      inquirerId,
      { guards: guards === 'run', interceptors: true, filters: false },
      type as never,
    );
    const args = [request, response, undefined, call];
    return {
      enter: async () => {
        if (guards === 'skip') await call.skipGuards();
        return run(...args) as Promise<unknown>;
      },
      filter: (error) => this.filters.apply(error, { args, response, type, host, inquirerId }),
    };
  };
}
