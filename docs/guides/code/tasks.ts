import { Injectable, Module, RequestTimeoutException, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { McpArg, McpContext, McpExecution, McpModule, McpTool, type McpToolContext } from '@mocapi/core';
import { InMemoryTaskStore, McpTask, McpTasksModule, TaskStore } from '@mocapi/tasks';
import { catchError, throwError, timeout, TimeoutError, type Observable } from 'rxjs';

/** Stands for the work that takes long. */
export abstract class Encoder {
  abstract reserve(uri: string): Promise<{ ticket: string }>;
  abstract frames(ticket: string, signal: AbortSignal): AsyncIterable<{ done: number; total: number }>;
  abstract duration(uri: string): Promise<number>;
}

// #region task
@Injectable()
export class EncodingTools {
  constructor(private readonly encoder: Encoder) {}

  @McpTool({ description: 'Encodes a video', annotations: { idempotentHint: true } })
  @McpTask({ ttl: 'PT2H', pollInterval: 'PT5S' })
  async encode(@McpArg('uri') uri: string, @McpContext() ctx: McpToolContext) {
    const { ticket } = await ctx.step('reserve', () => this.encoder.reserve(uri));
    for await (const { done, total } of this.encoder.frames(ticket, ctx.signal)) ctx.progress(done, total, 'frames');
    return { uri, ticket };
  }
}
// #endregion task

// #region manual
@Injectable()
export class ClippingTools {
  constructor(private readonly encoder: Encoder) {}

  @McpTool({ description: 'Cuts a clip out of a video' })
  @McpTask({ admission: 'manual' })
  async clip(@McpArg('uri') uri: string, @McpContext() ctx: McpToolContext): Promise<string> {
    if ((await this.encoder.duration(uri)) < 10) return `${uri} is a clip already`;
    await ctx.becomeTask();
    const { ticket } = await ctx.step('reserve', () => this.encoder.reserve(uri));
    for await (const { done, total } of this.encoder.frames(ticket, ctx.signal)) ctx.progress(done, total);
    return `The clip of ${uri}`;
  }
}
// #endregion manual

// #region required
@Injectable()
export class ArchiveTools {
  @McpTool({ description: 'Rebuilds the archive, which takes hours' })
  @McpTask({ ttl: 'P1D', pollInterval: 'PT1M', required: true })
  async rebuild(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.progress(1, 1);
    return 'The archive was rebuilt';
  }
}
// #endregion required

// #region timeout
@Injectable()
export class TimeoutInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (McpExecution.find(context)?.mayBecomeTask) return next.handle();
    return next.handle().pipe(
      timeout(5000),
      catchError((error: unknown) => throwError(() => (error instanceof TimeoutError ? new RequestTimeoutException() : error))),
    );
  }
}
// #endregion timeout

// #region store
@Injectable()
export class CountingTaskStore extends InMemoryTaskStore {
  created = 0;

  override create(...args: Parameters<TaskStore['create']>): ReturnType<TaskStore['create']> {
    this.created += 1;
    return super.create(...args);
  }
}

@Module({
  imports: [
    McpModule.forRoot({ name: 'encoding', version: '1.0.0' }),
    McpTasksModule.forRoot({
      ttl: 'PT30M',
      limits: { maxRunning: 8 },
      providers: [{ provide: TaskStore, useFactory: () => new CountingTaskStore() }],
    }),
  ],
  providers: [EncodingTools, ArchiveTools],
})
export class EncodingModule {}
// #endregion store
