import { Injectable } from '@nestjs/common';
import { McpArg, McpArgs, McpContext, McpTool, type JsonObject, type McpToolContext, type SampleParams } from '@mocapi/core';
import { z } from 'zod';

export const QUESTION: SampleParams = { messages: [{ role: 'user', content: { type: 'text', text: 'Capital?' } }], maxTokens: 10 };
const NAME = { message: 'Who?', schema: z.object({ name: z.string() }) };

/** Tools that ask something else than a form. */
@Injectable()
export class OtherKindsTools {
  bodies = 0;

  @McpTool({ description: 'asks to open a page' })
  async page(@McpArg('url') url: string, @McpContext() ctx: McpToolContext) {
    return ctx.elicitUrl('consent', { message: 'Please sign in', url });
  }

  @McpTool({ description: "asks the client's model" })
  async model(@McpArgs({ schema: { type: 'object' } }) params: JsonObject, @McpContext() ctx: McpToolContext) {
    return ctx.sample('said', { ...QUESTION, ...params });
  }

  @McpTool({ description: 'asks for the roots' })
  async roots(@McpContext() ctx: McpToolContext) {
    return ctx.listRoots('dirs');
  }

  @McpTool({ description: 'asks four things at once' })
  async all(@McpContext() ctx: McpToolContext) {
    this.bodies += 1;
    const [name, page, said, roots] = await Promise.all([
      ctx.elicit('name', NAME),
      ctx.elicitUrl('page', { message: 'Open', url: 'https://a.example/x' }),
      ctx.sample('said', QUESTION),
      ctx.listRoots('dirs'),
    ]);
    return { name, page, said, roots };
  }

  @McpTool({ description: 'asks without keys' })
  async ordinals(@McpContext() ctx: McpToolContext) {
    const page = { message: 'Open', url: 'https://a.example/x' };
    await Promise.all([ctx.elicit(NAME), ctx.elicitUrl(page), ctx.sample(QUESTION), ctx.listRoots()]);
    return 'done';
  }

  @McpTool({ description: 'asks the model something else in each run' })
  async fickle(@McpContext() ctx: McpToolContext) {
    this.bodies += 1;
    const said = await ctx.sample('said', { ...QUESTION, temperature: this.bodies }).catch(() => 'caught');
    return said === 'caught' ? said : 'answered';
  }

  @McpTool({ description: 'needs more than it asks' })
  async needy(@McpArg('needs', { schema: { type: 'object' } }) needs: JsonObject, @McpContext() ctx: McpToolContext) {
    ctx.requireCapability(needs);
    return 'has all';
  }

  @McpTool({ description: 'swallows every refusal, for ever' })
  async stubborn(@McpArg('kind') kind: string, @McpContext() ctx: McpToolContext) {
    const asking: Record<string, () => Promise<unknown>> = {
      form: () => ctx.elicit(NAME),
      page: () => ctx.elicitUrl({ message: 'Open', url: 'https://a.example/x' }),
      model: () => ctx.sample(QUESTION),
      roots: () => ctx.listRoots(),
      nested: () => ctx.elicit({ message: '?', schema: z.object({ a: z.object({}) }) }),
    };
    for (;;) await asking[kind]!().catch(() => undefined);
  }

  @McpTool({ description: 'is content without' })
  async fallback(@McpContext() ctx: McpToolContext) {
    return ctx.sample('said', QUESTION).catch((error: { code: number }) => `without: ${error.code}`);
  }
}
