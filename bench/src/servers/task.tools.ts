import { Injectable } from '@nestjs/common';
import { McpArg, McpArgs, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { z } from 'zod';
import { ECHO_ARGS } from './echo.tools.js';
import { Finish } from './finish.js';

const CONFIRM = z.object({ confirmed: z.boolean() });

/** Tools that become tasks. */
@Injectable()
export class TaskTools {
  constructor(private readonly finish: Finish) {}

  @McpTool({ name: 'task_echo', description: 'Echoes a text as a task' })
  @McpTask()
  echo(@McpArgs({ schema: ECHO_ARGS }) { text }: z.output<typeof ECHO_ARGS>): string {
    return text;
  }

  @McpTool({ name: 'task_keep', description: 'Echoes a text as a task that is kept' })
  @McpTask({ ttl: 'P1D' })
  keep(@McpArgs({ schema: ECHO_ARGS }) { text }: z.output<typeof ECHO_ARGS>): string {
    return text;
  }

  @McpTool({ name: 'task_ask', description: 'Asks and waits for an answer' })
  @McpTask({ ttl: 'P1D' })
  async ask(@McpArg('text') text: string, @McpContext() ctx: McpToolContext): Promise<string> {
    const { action } = await ctx.elicit('confirm', { message: 'Is the address still right?', schema: CONFIRM });
    return `${text} ${action}`;
  }

  @McpTool({ name: 'task_wait', description: 'Ends when it is told to' })
  @McpTask({ ttl: 'P1D' })
  async wait(@McpArg('text') text: string, @McpContext() ctx: McpToolContext): Promise<string> {
    await this.finish.told(ctx.signal);
    return text;
  }

  @McpTool({ name: 'task_steps', description: 'Records steps' })
  @McpTask({ ttl: 'P1D' })
  async steps(@McpArg('count') count: number, @McpArg('bytes') bytes: number, @McpContext() ctx: McpToolContext): Promise<string> {
    const content = 'x'.repeat(bytes);
    for (let index = 0; index < count; index += 1) {
      const begun = performance.now();
      await ctx.step(`step-${index}`, () => content);
      await this.finish.stepDone(index, performance.now() - begun);
    }
    return 'Every step is recorded';
  }
}
