import { ErrorCode, McpError } from '@mocapi/core';
import type { McpMethod } from '@mocapi/core/extension';
import type { DeployLog } from '../engine/deploy-log.js';
import { TaskFormatError } from '../store/task-store.errors.js';

/**
 * Wraps the method with an answer for a task whose record this version can't read: the task is left unchanged, and
 * logged.
 */
export function readableOnly(method: McpMethod, log: Pick<DeployLog, 'unreadable'>): McpMethod {
  const { name, requiredExtension } = method;
  return {
    name,
    ...(requiredExtension === undefined ? {} : { requiredExtension }),
    handle: async (context) => {
      try {
        return await method.handle(context);
      } catch (error) {
        if (!(error instanceof TaskFormatError)) throw error;
        const { taskId } = context.params;
        log.unreadable(typeof taskId === 'string' ? taskId : '', error);
        throw unreadableTask();
      }
    },
  };
}

function unreadableTask(): McpError {
  const message =
    'A newer version of this server stored the task, and this one cannot read it. The task is unchanged: ask a node of the newer version';
  return new McpError(ErrorCode.InternalError, message);
}
