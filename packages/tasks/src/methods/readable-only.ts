import { ErrorCode, McpError } from '@mocapi/core';
import type { DispatchContext, McpMethod } from '@mocapi/core/extension';
import { isThenable } from '@mocapi/core/internal';
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
    handle: (context) => {
      try {
        const result = method.handle(context);
        return isThenable(result) ? result.catch((error: unknown) => refused(error, context, log)) : result;
      } catch (error) {
        return refused(error, context, log);
      }
    },
  };
}

/** Throws the error, or the answer to a task that this version can't read. */
function refused(error: unknown, { params }: DispatchContext, log: Pick<DeployLog, 'unreadable'>): never {
  if (!(error instanceof TaskFormatError)) throw error;
  log.unreadable(typeof params.taskId === 'string' ? params.taskId : '', error);
  throw unreadableTask();
}

function unreadableTask(): McpError {
  const message =
    'A newer version of this server stored the task, and this one cannot read it. The task is unchanged: ask a node of the newer version';
  return new McpError(ErrorCode.InternalError, message);
}
