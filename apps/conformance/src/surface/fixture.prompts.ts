import { Injectable } from '@nestjs/common';
import { McpArg, McpComplete, McpContext, McpPrompt, type McpHandlerContext, type PromptMessage } from '@mocapi/core';
import { z } from 'zod';
import { IMAGE } from '../tools/media.js';

const Context = z.object({ context: z.string() });

/** The fixtures of the `prompts-*`, `completion-complete` and `input-required-result-non-tool-request` scenarios. */
@Injectable()
export class FixturePrompts {
  @McpPrompt({ name: 'test_simple_prompt', description: 'A prompt without arguments' })
  simple(): string {
    return 'This is a simple prompt for testing.';
  }

  @McpPrompt({ name: 'test_prompt_with_arguments', description: 'A prompt with two arguments' })
  withArguments(
    @McpArg('arg1', { description: 'First test argument' }) arg1: string,
    @McpArg('arg2', { description: 'Second test argument' }) arg2: string,
  ): string {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  @McpComplete({ prompt: 'test_prompt_with_arguments', argument: 'arg1' })
  completeArg1(value: string): string[] {
    return ['test', 'testing', 'tested'].filter((word) => word.startsWith(value));
  }

  @McpPrompt({ name: 'test_prompt_with_embedded_resource', description: 'A prompt that embeds a resource' })
  withResource(@McpArg('resourceUri', { description: 'URI of the resource to embed' }) uri: string): PromptMessage[] {
    const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
    return [
      { role: 'user', content: { type: 'resource', resource } },
      { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
    ];
  }

  @McpPrompt({ name: 'test_prompt_with_image', description: 'A prompt with an image' })
  withImage(): PromptMessage[] {
    return [
      { role: 'user', content: IMAGE },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ];
  }

  @McpPrompt({ name: 'test_input_required_result_prompt', description: 'A prompt that asks before it answers' })
  async asking(@McpContext() ctx: McpHandlerContext): Promise<string> {
    const answer = await ctx.elicit('user_context', { message: 'What context should the prompt use?', schema: Context });
    return answer.action === 'accept' ? `Use this context: ${answer.content.context}` : 'No context was given.';
  }
}
