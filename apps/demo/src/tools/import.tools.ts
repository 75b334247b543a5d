import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpTool, McpToolError, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { z } from 'zod';

const ROWS_PER_BATCH = 100;

/** Decides by itself when to become a task: first it asks in the call, then it goes to the background. */
@Injectable()
export class ImportTools {
  @McpTool({ name: 'escalating_import', description: 'Asks where the rows come from, then imports them in the background' })
  @McpTask({ ttl: 'PT1H', pollInterval: 'PT0.5S', admission: 'manual', recover: 'replay' })
  async importRows(
    @McpArg('rows', { schema: 'integer', description: 'How many rows' }) rows: number,
    @McpContext() ctx: McpToolContext,
  ): Promise<{ source: string; imported: number }> {
    const answer = await ctx.elicit('source', {
      message: `Import ${rows} rows from where?`,
      schema: z.object({ source: z.string().min(1) }),
    });
    if (answer.action !== 'accept') throw new McpToolError('Nothing was imported: no source was given');
    await ctx.becomeTask();
    for (let imported = 0; imported < rows;) {
      await setTimeout(20, undefined, { signal: ctx.signal });
      imported = Math.min(imported + ROWS_PER_BATCH, rows);
      ctx.progress(imported, rows, 'rows');
    }
    return { source: answer.content.source, imported: Math.max(rows, 0) };
  }
}
