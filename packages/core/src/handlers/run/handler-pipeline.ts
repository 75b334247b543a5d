import type { MaybePromise } from '../../protocol/maybe-promise.js';
import type { FilterAnswer } from '../nest/filter-chain.js';
import type { HandlerCall } from './handler-call.js';

/** A prepared handler: made at boot, run for every execution. */
export interface HandlerPipeline {
  /** Whether anything around the method sees the response, and so may answer by it. */
  readonly showsResponse: boolean;
  /** Gets the handler ready for one execution; waits only where its host is made for it. */
  begin(call: HandlerCall): MaybePromise<PipelineRun>;
}

/** One handler and what stands around it, for one execution: entered once, its filters asked only when it really failed. */
export interface PipelineRun {
  /** Guards, interceptors, pipes, body; at once where nothing waits. Filters are left out: no filter and no log of Nest's ever sees a suspension. */
  enter(): MaybePromise<unknown>;
  /** Runs the handler's filters on an error. */
  filter(error: unknown): Promise<FilterAnswer>;
}
