import { Injectable } from '@nestjs/common';
import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { z } from 'zod';

/** The fixtures of the `server-stateless` scenario that need nothing but tools. */
@Injectable()
export class StatelessTools {
  @McpTool({ name: 'test_missing_capability', description: 'Refuses clients that do not declare sampling' })
  missingCapability(@McpContext() ctx: McpToolContext): string {
    ctx.requireCapability({ sampling: {} });
    return 'The client declares sampling.';
  }

  @McpTool({ name: 'test_streaming_elicitation', description: 'Asks the user, without a request of its own on the stream' })
  async streamingElicitation(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.progress(1);
    const answer = await ctx.elicit('go_on', { message: 'Go on?', schema: z.object({ yes: z.boolean() }) });
    return answer.action;
  }

  @McpTool({ name: 'test_logging_tool', description: 'Sends no log messages to a client that set no log level' })
  logging(@McpContext() ctx: McpToolContext): string {
    ctx.log('info', 'The tool has begun', 'conformance');
    ctx.log('warning', { step: 2, remark: 'The tool is about to end' }, 'conformance');
    return 'Two messages were logged, for a client that asked for them.';
  }
}
