import { Injectable } from '@nestjs/common';
import { McpContext, McpTool, type McpToolContext, type SampleAnswer, type SampleParams } from '@mocapi/core';
import { z } from 'zod';

const CAPITAL: SampleParams = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
  maxTokens: 100,
};
const GREETING: SampleParams = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Generate a greeting' } }],
  maxTokens: 50,
};
const UserName = z.object({ name: z.string() });

/** The fixtures of the `input-required-result-*` scenarios that ask something else than a form, or several kinds at once. */
@Injectable()
export class OtherInputsTools {
  @McpTool({ name: 'test_input_required_result_sampling', description: "Asks the client's model" })
  async sampling(@McpContext() ctx: McpToolContext): Promise<string> {
    return `The model says: ${said(await ctx.sample('capital_question', CAPITAL))}`;
  }

  @McpTool({ name: 'test_input_required_result_list_roots', description: 'Asks for the roots of the client' })
  async listRoots(@McpContext() ctx: McpToolContext): Promise<string> {
    const roots = await ctx.listRoots('client_roots');
    return `The client has ${roots.length} roots`;
  }

  @McpTool({ name: 'test_input_required_result_multiple_inputs', description: 'Asks three kinds of question at once' })
  async multipleInputs(@McpContext() ctx: McpToolContext): Promise<string> {
    const [name, greeting, roots] = await Promise.all([
      ctx.elicit('user_name', { message: 'What is your name?', schema: UserName }),
      ctx.sample('greeting', GREETING),
      ctx.listRoots('client_roots'),
    ]);
    return `${said(greeting)} ${name.action === 'accept' ? name.content.name : 'nobody'}, with ${roots.length} roots`;
  }

  @McpTool({ name: 'test_input_required_result_capabilities', description: 'Asks only what the client can answer' })
  async capabilities(@McpContext() ctx: McpToolContext): Promise<string> {
    const answers = await Promise.all([
      ...(ctx.supports('elicitation') ? [ctx.elicit('user_name', { message: 'What is your name?', schema: UserName })] : []),
      ...(ctx.supports('sampling') ? [ctx.sample('greeting', GREETING)] : []),
    ]);
    return `The client answered ${answers.length} questions`;
  }
}

function said({ content }: SampleAnswer): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ');
}
