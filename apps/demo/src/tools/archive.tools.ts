import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { z } from 'zod';

const Format = z.enum(['zip', 'tar']);

/** Runs only as a task: a client that cannot poll learns what it lacks. */
@Injectable()
export class ArchiveTools {
  @McpTool({ name: 'export_archive', description: 'Exports everything as an archive; takes too long for a plain call' })
  @McpTask({ ttl: 'PT1H', pollInterval: 'PT0.5S', required: true, recover: 'replay' })
  async exportArchive(
    @McpArg('format', { schema: Format }) format: z.output<typeof Format>,
    @McpContext() ctx: McpToolContext,
  ): Promise<{ file: string }> {
    for (const [index, folder] of ['documents', 'images', 'index'].entries()) {
      await setTimeout(100, undefined, { signal: ctx.signal });
      ctx.progress(index + 1, 3, folder);
    }
    return { file: `export.${format}` };
  }
}
