import { Injectable } from '@nestjs/common';
import { McpContext, McpPrompt, McpResource, McpTool, type McpHandlerContext, type McpToolContext } from '@mocapi/core';
import { CONSENT, EMPTY_INPUT, NAME_FORM, SAMPLE } from './fixtures.js';

const inputSchema = EMPTY_INPUT;

/** What asks the client before it answers, by our decorators. */
@Injectable()
export class OurAsking {
  @McpTool({ name: 'ask_name', description: 'Asks by a form', inputSchema })
  async askName(@McpContext() ctx: McpToolContext): Promise<string> {
    const { action } = await ctx.elicit('name', { message: 'Who?', schema: NAME_FORM });
    return action;
  }

  @McpTool({ name: 'ask_url', description: 'Asks by a page', inputSchema })
  async askUrl(@McpContext() ctx: McpToolContext): Promise<string> {
    const { action } = await ctx.elicitUrl('consent', CONSENT);
    return action;
  }

  @McpTool({ name: 'ask_model', description: 'Asks the model', inputSchema })
  async askModel(@McpContext() ctx: McpToolContext): Promise<string> {
    const { model } = await ctx.sample('greeting', SAMPLE);
    return model;
  }

  @McpTool({ name: 'ask_roots', description: 'Asks for the roots', inputSchema })
  async askRoots(@McpContext() ctx: McpToolContext): Promise<string> {
    const roots = await ctx.listRoots('roots');
    return String(roots.length);
  }

  @McpTool({ name: 'ask_both', description: 'Asks two kinds at once', inputSchema })
  async askBoth(@McpContext() ctx: McpToolContext): Promise<string> {
    const [name, greeting] = await Promise.all([
      ctx.elicit('name', { message: 'Who?', schema: NAME_FORM }),
      ctx.sample('greeting', SAMPLE),
    ]);
    return `${name.action} ${greeting.model}`;
  }

  @McpTool({ name: 'ask_twice', description: 'Asks one after the other', inputSchema })
  async askTwice(@McpContext() ctx: McpToolContext): Promise<string> {
    const first = await ctx.elicit('first', { message: 'First?', schema: NAME_FORM });
    const second = await ctx.elicit('second', { message: 'Second?', schema: NAME_FORM });
    return `${first.action} ${second.action}`;
  }

  @McpPrompt({ name: 'asking', description: 'Asks before it answers' })
  async prompt(@McpContext() ctx: McpHandlerContext): Promise<string> {
    const { action } = await ctx.elicit('name', { message: 'Who?', schema: NAME_FORM });
    return action;
  }

  @McpResource({ uri: 'demo://asking', name: 'asking', mimeType: 'text/plain' })
  async resource(@McpContext() ctx: McpHandlerContext): Promise<string> {
    const { action } = await ctx.elicit('name', { message: 'Who?', schema: NAME_FORM });
    return action;
  }
}
