import { setTimeout } from 'node:timers/promises';
import { Injectable, UseGuards } from '@nestjs/common';
import { McpArg, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { AdminGuard } from '../caller/admin.guard.js';

const OBJECTS = 5;

/** Behind a guard: a caller it refuses gets no task. */
@Injectable()
export class BucketTools {
  @McpTool({ name: 'guarded_purge', description: 'Empties a bucket; for admins', annotations: { destructiveHint: true } })
  @McpTask({ ttl: 'PT1H', pollInterval: 'PT0.5S' })
  @UseGuards(AdminGuard)
  async purge(@McpArg('bucket') bucket: string, @McpContext() ctx: McpToolContext): Promise<{ bucket: string; purged: number }> {
    for (let purged = 1; purged <= OBJECTS; purged++) {
      await setTimeout(20, undefined, { signal: ctx.signal });
      ctx.progress(purged, OBJECTS);
    }
    return { bucket, purged: OBJECTS };
  }
}
