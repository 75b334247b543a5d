import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, IsString, MinLength } from 'class-validator';
import { z } from 'zod';
import { McpArgs, McpContext, McpTool, type McpToolContext } from '@mocapi/core';

class PersonDto {
  @IsString() @MinLength(2) name!: string;
  @IsInt() @IsOptional() age?: number;
}

class OrderArgs {
  @IsString() item!: string;
  @IsInt() @IsOptional() count?: number;
}

const NAME = { message: 'Who?', schema: z.object({ name: z.string() }) };
const SURE = { message: 'Sure?', schema: z.object({ sure: z.boolean() }) };
const TYPED = z.object({
  when: z.string().transform((text) => new Date(text)),
  size: z.enum(['s', 'm']).default('m'),
  count: z.coerce.number().int(),
});
const NESTED = z.object({ ok: z.string(), address: z.object({ street: z.string() }) });
const STRICT = z.object({ code: z.string() }).refine(({ code }) => code.startsWith('X'), 'must begin with X');

/** Tools that ask; they count how often their bodies and steps ran. */
@Injectable()
export class AskingTools {
  bodies = 0;
  charges = 0;

  @McpTool({ description: 'asks by key, by ordinal and twice at once' })
  async order(@McpArgs() { item }: OrderArgs, @McpContext() ctx: McpToolContext) {
    this.bodies += 1;
    const charge = await ctx.step('charge', () => ({ number: (this.charges += 1) }));
    const name = await ctx.elicit('name', NAME);
    if (name.action !== 'accept') return `no name: ${name.action}`;
    const [sure, gift] = await Promise.all([
      ctx.elicit('sure', SURE),
      ctx.elicit('gift', { message: 'A gift?', schema: z.object({ gift: z.boolean() }) }),
    ]);
    return { item, charge: charge.number, name: name.content.name, sure: sure.action, gift: gift.action };
  }

  @McpTool({ description: 'asks without a key' })
  async ordinal(@McpContext() ctx: McpToolContext) {
    this.bodies += 1;
    const { action } = await ctx.elicit(NAME);
    return action;
  }

  @McpTool({ description: 'is answered by what a zod schema makes of it' })
  async typed(@McpContext() ctx: McpToolContext) {
    const answer = await ctx.elicit('typed', { message: 'When?', schema: TYPED });
    if (answer.action !== 'accept') return answer.action;
    const { when, size, count } = answer.content;
    return { year: when.getUTCFullYear(), size, count: count + 1 };
  }

  @McpTool({ description: 'is answered by an instance of a class' })
  async dto(@McpContext() ctx: McpToolContext) {
    const answer = await ctx.elicit('dto', { message: 'Who?', schema: PersonDto });
    if (answer.action !== 'accept') return answer.action;
    const { name, age } = answer.content;
    return { isInstance: answer.content instanceof PersonDto, name, ...(age === undefined ? {} : { age }) };
  }

  @McpTool({ description: 'asks for more than a form can say' })
  async refined(@McpContext() ctx: McpToolContext) {
    const answer = await ctx.elicit('refined', { message: 'Code?', schema: STRICT });
    return answer.action;
  }

  @McpTool({ description: 'asks for something nested' })
  async nested(@McpContext() ctx: McpToolContext) {
    const { action } = await ctx.elicit('nested', { message: 'Where?', schema: NESTED });
    return action;
  }

  @McpTool({ description: 'asks the same under two keys' })
  async twice(@McpContext() ctx: McpToolContext) {
    const answers = await Promise.all([ctx.elicit('one', SURE), ctx.elicit('two', SURE)]);
    return answers.map(({ action }) => action).join();
  }

  @McpTool({ description: 'asks two things at one key' })
  async sameKey(@McpContext() ctx: McpToolContext) {
    await ctx.elicit('one', SURE);
    const { action } = await ctx.elicit('one', SURE);
    return action;
  }

  @McpTool({ description: 'asks something else in each run' })
  async fickle(@McpContext() ctx: McpToolContext) {
    this.bodies += 1;
    const { action } = await ctx
      .elicit('fickle', { message: `Run ${this.bodies}?`, schema: SURE.schema })
      .catch(() => ({ action: 'caught' }));
    return action;
  }

  @McpTool({ description: 'asks if it may' })
  async supports(@McpContext() ctx: McpToolContext) {
    return Object.fromEntries(
      (['elicitation', 'elicitation.url', 'sampling', 'roots'] as const).map((feature) => [feature, ctx.supports(feature)]),
    );
  }

  @McpTool({ description: 'lets go of its question' })
  async floating(@McpContext() ctx: McpToolContext) {
    void ctx.elicit('floating', NAME);
    return 'returned';
  }

  @McpTool({ description: 'records more than a token can hold' })
  async greedy(@McpContext() ctx: McpToolContext) {
    await ctx.step('small', () => 'x');
    await ctx.step('page', () => 'x'.repeat(100_000));
    return (await ctx.elicit('name', NAME)).action;
  }
}
