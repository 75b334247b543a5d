import { Injectable } from '@nestjs/common';
import type { McpResult } from '@mocapi/core';
import {
  McpSeam,
  type DispatchContext,
  type McpDispatchInterceptor,
  type McpMethod,
  type McpMethodContributor,
} from '@mocapi/core/extension';

// #region method
@Injectable()
@McpSeam('method-contributor')
export class EchoMethods implements McpMethodContributor {
  methods(): readonly McpMethod[] {
    return [{ name: 'example.com/echo', handle: async ({ params }) => ({ resultType: 'complete', text: params.text ?? null }) }];
  }
}
// #endregion method

// #region interceptor
@Injectable()
@McpSeam('dispatch-interceptor', { order: -10 })
export class TimingInterceptor implements McpDispatchInterceptor {
  readonly timings = new Map<string, number>();

  async intercept(context: DispatchContext, next: () => Promise<McpResult>): Promise<McpResult> {
    const start = performance.now();
    try {
      return await next();
    } finally {
      this.timings.set(context.target?.name ?? context.method, performance.now() - start);
    }
  }
}
// #endregion interceptor
