import { Injectable, Module } from '@nestjs/common';
import { McpArg, McpContext, McpModule, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { McpTasksRedisModule } from '@mocapi/tasks-redis';
import { z } from 'zod';

/** Stands for the work that takes long. */
@Injectable()
export class Images {
  shrunk = 0;

  async shrink(uri: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    this.shrunk += 1;
    return `${uri}?size=small`;
  }
}

// #region tool
@Injectable()
export class ThumbnailTools {
  constructor(private readonly images: Images) {}

  @McpTool({ description: 'Makes a thumbnail of each image' })
  @McpTask({ ttl: 'PT1H', recover: 'replay' })
  async thumbnails(
    @McpArg('uris', { schema: z.array(z.string()) }) uris: string[],
    @McpContext() ctx: McpToolContext,
  ): Promise<{ made: string[] }> {
    const made: string[] = [];
    for (const [index, uri] of uris.entries()) {
      made.push(await ctx.step(`thumbnail-${index}`, () => this.images.shrink(uri, ctx.signal)));
      ctx.progress(index + 1, uris.length);
    }
    return { made };
  }
}
// #endregion tool

// #region node
@Module({
  imports: [
    McpModule.forRootAsync({
      useFactory: () => ({
        name: 'images',
        version: '1.0.0',
        requestState: { keys: [{ id: '2026-11', key: process.env['MCP_STATE_KEY']! }] },
      }),
    }),
    McpTasksModule.forRoot({ lease: 'PT15S', drain: 'PT2S', maxAttempts: 3 }),
    McpTasksRedisModule.forRoot({ url: '${REDIS_URL}' }),
  ],
  providers: [Images, ThumbnailTools],
})
export class AppModule {}
// #endregion node
