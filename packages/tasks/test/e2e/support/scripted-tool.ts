import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { Injectable, type Type } from '@nestjs/common';

/** What a tool does when it is called. */
export type Body = (ctx: McpToolContext) => unknown;

/** A class with one tool, `scripted`, whose body is whatever `bodyOf` gives at the time of each execution. */
export function scriptedTool(bodyOf: () => Body): Type {
  @Injectable()
  class Scripted {
    @McpTool({ description: 'Does what the test says' })
    @McpTask()
    scripted(@McpContext() ctx: McpToolContext): unknown {
      return bodyOf()(ctx);
    }
  }
  return Scripted;
}
