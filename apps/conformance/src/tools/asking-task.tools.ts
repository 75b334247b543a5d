import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpTool, type ElicitAnswer, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { z } from 'zod';

const Name = z.object({ name: z.string() });
const Confirm = z.object({ confirm: z.boolean() });

/** The fixtures of the `tasks-*` scenarios that ask: in the task, twice at once, and before it. */
@Injectable()
export class AskingTaskTools {
  @McpTool({ name: 'confirm_delete', description: 'Deletes a file once that is confirmed' })
  @McpTask({ pollInterval: 'PT0.2S', recover: 'replay' })
  async confirmDelete(@McpArg('filename') filename: string, @McpContext() ctx: McpToolContext): Promise<string> {
    const answer = await ctx.elicit('confirm', { message: `Delete ${filename}?`, schema: Confirm });
    return isConfirmed(answer) ? `Deleted ${filename}` : `Kept ${filename}`;
  }

  @McpTool({ name: 'multi_input', description: 'Asks two things at once' })
  @McpTask({ pollInterval: 'PT0.2S', recover: 'replay' })
  async multiInput(@McpContext() ctx: McpToolContext): Promise<string> {
    const [name, confirmed] = await Promise.all([
      ctx.elicit('name', { message: 'Who are you?', schema: Name }),
      ctx.elicit('confirm', { message: 'Are you sure?', schema: Confirm }),
    ]);
    return `${name.action === 'accept' ? name.content.name : 'Nobody'} is ${isConfirmed(confirmed) ? 'sure' : 'not sure'}`;
  }

  @McpTool({ name: 'test_tool_with_task', description: 'Asks in the call, then continues as a task' })
  @McpTask({ admission: 'manual', pollInterval: 'PT0.2S', recover: 'replay' })
  async askThenTask(@McpContext() ctx: McpToolContext): Promise<string> {
    const answer = await ctx.elicit('user_name', { message: 'Who are you?', schema: Name });
    await ctx.becomeTask();
    return answer.action === 'accept' ? `Done for ${answer.content.name}` : 'Done for nobody';
  }
}

function isConfirmed(answer: ElicitAnswer<{ confirm: boolean }>): boolean {
  return answer.action === 'accept' && answer.content.confirm;
}
