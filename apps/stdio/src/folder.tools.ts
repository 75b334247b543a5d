import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { McpArg, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { z } from 'zod';

/** Tools about folders of this machine, as a desktop client would have them; they only pretend to touch files. */
@Injectable()
export class FolderTools {
  private readonly logger = new Logger('FolderTools');

  @McpTool({ description: 'Counts the words of a text', annotations: { readOnlyHint: true } })
  words(@McpArg('text') text: string): { words: number } {
    // Both would end up among the messages if stdout were not guarded.
    this.logger.warn('counting');
    console.log('counting');
    return { words: text.split(/\s+/).filter((word) => word !== '').length };
  }

  @McpTool({ description: 'Empties a folder, once the user has agreed', annotations: { destructiveHint: true } })
  async empty(@McpArg('folder') folder: string, @McpContext() ctx: McpToolContext): Promise<{ folder: string; emptied: boolean }> {
    const answer = await ctx.elicit('agreed', { message: `Empty ${folder}?`, schema: z.object({ ok: z.boolean() }) });
    return { folder, emptied: answer.action === 'accept' && answer.content.ok };
  }

  @McpTool({ description: 'Indexes a folder in the background' })
  @McpTask({ ttl: 'PT1H', pollInterval: 'PT0.2S', recover: 'replay' })
  async index(@McpArg('files') files: number, @McpContext() ctx: McpToolContext): Promise<{ indexed: number }> {
    for (let done = 1; done <= files; done++) {
      await setTimeout(20, undefined, { signal: ctx.signal });
      ctx.progress(done, files);
    }
    return { indexed: files };
  }
}
