import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ErrorCode, McpArg, McpContext, McpError, McpTool, McpToolError, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';

/** The fixtures of the `tasks-*` scenarios that ask nothing. */
@Injectable()
export class TaskTools {
  @McpTool({ description: 'Greets; never a task' })
  greet(@McpArg('name') name: string): string {
    return `Hello, ${name}!`;
  }

  @McpTool({ name: 'slow_compute', description: 'Takes its time' })
  @McpTask({ pollInterval: 'PT0.2S', recover: 'replay' })
  async slowCompute(
    @McpArg('seconds') seconds: number,
    @McpArg('label', { default: 'compute' }) label: string,
    @McpContext() ctx: McpToolContext,
  ): Promise<string> {
    await setTimeout(seconds * 1000, undefined, { signal: ctx.signal });
    return `${label}: computed for ${seconds} s`;
  }

  @McpTool({ name: 'failing_job', description: 'Fails as a tool does, after a second; only as a task' })
  @McpTask({ required: true, pollInterval: 'PT0.2S', recover: 'replay' })
  async failingJob(@McpContext() ctx: McpToolContext): Promise<never> {
    await setTimeout(1000, undefined, { signal: ctx.signal });
    throw new McpToolError('The job failed');
  }

  @McpTool({ name: 'protocol_error_job', description: 'Fails with a JSON-RPC error' })
  @McpTask({ pollInterval: 'PT0.2S', recover: 'replay' })
  protocolErrorJob(): never {
    throw new McpError(ErrorCode.InternalError, 'The job broke');
  }
}
