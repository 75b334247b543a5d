import { Injectable } from '@nestjs/common';
import type { McpResult } from '@mocapi/core';
import { McpSeam, type DispatchContext, type McpDispatchInterceptor } from '@mocapi/core/extension';

/** Hands out the context of one call, so that engine and store are measured with it and without HTTP. */
@Injectable()
@McpSeam('dispatch-interceptor', { order: 900 })
export class RepeatInterceptor implements McpDispatchInterceptor {
  private take: ((context: DispatchContext) => void) | undefined;

  /** Resolves to the context of the next call. */
  nextContext(): Promise<DispatchContext> {
    return new Promise((resolve) => (this.take = resolve));
  }

  intercept(context: DispatchContext, next: () => Promise<McpResult>): Promise<McpResult> {
    this.take?.(context);
    this.take = undefined;
    return next();
  }
}

/** The same call as a new request: it has its own signal, and its answer counts as delivered. */
export function repeated(context: DispatchContext): DispatchContext {
  let controller: AbortController | undefined;
  const delivery = Object.create(context.exchange.delivery, {
    onSettled: { value: (settled: (reached: boolean) => void) => settled(true) },
  });
  const exchange = Object.create(context.exchange, {
    signal: { get: () => (controller ??= new AbortController()).signal },
    delivery: { value: delivery },
  });
  return { ...context, exchange };
}
