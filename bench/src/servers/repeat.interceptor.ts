import { Injectable } from '@nestjs/common';
import type { McpResult } from '@mocapi/core';
import { McpSeam, type DispatchContext, type McpDispatchInterceptor } from '@mocapi/core/extension';

/** Sends one call on many times, so that engine and store are measured without HTTP. */
@Injectable()
@McpSeam('dispatch-interceptor', { order: 900 })
export class RepeatInterceptor implements McpDispatchInterceptor {
  private repeat: ((next: () => Promise<McpResult>) => Promise<McpResult>) | undefined;

  /** What the next call does with all that comes behind this interceptor. */
  withNextCall(repeat: (next: () => Promise<McpResult>) => Promise<McpResult>): void {
    this.repeat = repeat;
  }

  intercept(_context: DispatchContext, next: () => Promise<McpResult>): Promise<McpResult> {
    const { repeat } = this;
    this.repeat = undefined;
    return repeat === undefined ? next() : repeat(next);
  }
}
