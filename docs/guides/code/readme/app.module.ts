// #region module
import { Injectable, Module } from '@nestjs/common';
import { McpArg, McpContext, McpModule, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { z } from 'zod';

@Injectable()
export class VideoTools {
  @McpTool({ description: 'Encodes a video' })
  @McpTask({ ttl: 'PT1H', pollInterval: 'PT2S' })
  async encode(@McpArg('uri') uri: string, @McpContext() ctx: McpToolContext): Promise<string> {
    const answer = await ctx.elicit('quality', {
      message: `Which quality for ${uri}?`,
      schema: z.object({ quality: z.enum(['low', 'high']) }),
    });
    if (answer.action !== 'accept') return 'Nothing was encoded';
    ctx.progress(1, 2, 'encoding');
    return `${uri} in ${answer.content.quality} quality`;
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'video', version: '1.0.0' }), McpTasksModule.forRoot()],
  providers: [VideoTools],
})
export class AppModule {}
// #endregion module
