import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { McpArgs, McpContext, McpField, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { IsInt, Max, Min } from 'class-validator';

/** A DTO in class-validator's words; the model sees the same bounds and defaults. */
export class BatchResizeArgs {
  @IsInt()
  @Min(1)
  @Max(1000)
  @McpField({ description: 'How many images', default: 10 })
  count!: number;

  @IsInt()
  @Min(0)
  @Max(10_000)
  @McpField({ description: 'Milliseconds per image', default: 200 })
  delayMs!: number;
}

/** A long job that reports each step and stops when it is aborted. */
@Injectable()
export class ImageTools {
  @McpTool({ name: 'batch_resize', description: 'Resizes a batch of images, one after the other' })
  @McpTask({ ttl: 'PT1H', pollInterval: 'PT0.5S', recover: 'replay' })
  async batchResize(@McpArgs() { count, delayMs }: BatchResizeArgs, @McpContext() ctx: McpToolContext): Promise<{ resized: number }> {
    for (let resized = 1; resized <= count; resized++) {
      // The timer ends with the task: whoever cancels does not wait for the image in hand.
      await setTimeout(delayMs, undefined, { signal: ctx.signal });
      ctx.progress(resized, count, 'resized');
    }
    return { resized: count };
  }
}
