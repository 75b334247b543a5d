import { Injectable } from '@nestjs/common';
import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { z } from 'zod';

const UserName = z.object({ name: z.string() });
const Ok = z.object({ ok: z.boolean() });

/** The fixtures of the `input-required-result-*` scenarios that ask by form. */
@Injectable()
export class InputRequiredTools {
  @McpTool({ name: 'test_input_required_result_elicitation', description: 'Asks for a name' })
  async elicitation(@McpContext() ctx: McpToolContext): Promise<string> {
    const answer = await ctx.elicit('user_name', { message: 'What is your name?', schema: UserName });
    return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : `You chose: ${answer.action}`;
  }

  @McpTool({ name: 'test_input_required_result_request_state', description: 'Asks, and gets its state back' })
  async requestState(@McpContext() ctx: McpToolContext): Promise<string> {
    const state = await ctx.step('state', () => 'state-ok');
    await ctx.elicit('confirm', { message: 'Please confirm', schema: Ok });
    return state;
  }

  @McpTool({ name: 'test_input_required_result_multi_round', description: 'Asks twice, one after the other' })
  async multiRound(@McpContext() ctx: McpToolContext): Promise<string> {
    const who = await ctx.elicit('step1', { message: 'Step 1: What is your name?', schema: UserName });
    const what = await ctx.elicit('step2', { message: 'Step 2: What is your favorite color?', schema: z.object({ color: z.string() }) });
    if (who.action !== 'accept' || what.action !== 'accept') return 'Not answered';
    return `${who.content.name} likes ${what.content.color}`;
  }

  @McpTool({ name: 'test_input_required_result_tampered_state', description: 'Asks; its state is rejected if it was changed' })
  async tamperedState(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.elicit('confirm', { message: 'Please confirm', schema: Ok });
    return 'The state came back as it was.';
  }
}
