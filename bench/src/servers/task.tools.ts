import { Injectable } from '@nestjs/common';
import { McpArgs, McpTool } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import type { z } from 'zod';
import { ECHO_ARGS } from './echo.tools.js';

/** Tools that become tasks. */
@Injectable()
export class TaskTools {
  @McpTool({ name: 'task_echo', description: 'Echoes a text as a task' })
  @McpTask()
  echo(@McpArgs({ schema: ECHO_ARGS }) { text }: z.output<typeof ECHO_ARGS>): string {
    return text;
  }
}
