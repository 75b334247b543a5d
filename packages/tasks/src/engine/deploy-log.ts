import { Logger } from '@nestjs/common';
import type { LedgerDrift } from '@mocapi/core/extension';
import { loggable, type ResolvedMcpOptions } from '@mocapi/core/internal';
import type { TaskRecord } from '../record/task-record.js';
import type { TaskFormatError } from '../store/task-store.errors.js';

/** Warnings that are remembered, so that each is logged once; beyond it the oldest may be logged again. */
const REMEMBERED = 1000;

/** Warns of stored tasks that do not fit the version of the server which runs here: once per task and cause, with the tool and both versions. */
export class DeployLog {
  private readonly logger = new Logger('McpTasks');
  private readonly warned = new Set<string>();

  constructor(private readonly server: Pick<ResolvedMcpOptions, 'serverInfo'>) {}

  /** A tool did not use the ledger of its task as it was recorded. */
  drift(record: TaskRecord, drift: LedgerDrift): void {
    const warn = (key: string, what: string): void => this.warn(`${record.taskId} ${key}`, `${this.hasChanged(record)}: ${what}`);
    if (drift.changed !== undefined)
      return warn(drift.changed, `"${shown(drift.changed)}" is not the question that was recorded, so the task failed. ${ADVICE}`);
    // A handler may still reach it before its end; only an unrecorded step, in another version, shows that the step was renamed.
    if (!drift.isComplete && (drift.ran.length === 0 || record.handlerVersion === this.version)) return;
    for (const { key, kind } of drift.unused) warn(key, `${unused(key, kind)}${instead(drift.ran)}. ${ADVICE}`);
  }

  /**
   * Logs that this version can't read a record.
   * @param taskId identifies the task
   */
  unreadable(taskId: string, { message, task }: TaskFormatError): void {
    const text = task ? `A task of ${shown(task.toolName)}, created by ${versionOf(task)},` : 'A task';
    this.warn(
      `${taskId} format`,
      `${text} is left alone: ${loggable(message)}, and this is version ${shown(this.version)}. Keep a node of the version that wrote it running until its tasks have ended`,
    );
  }

  private get version(): string {
    return this.server.serverInfo.version;
  }

  private hasChanged(record: TaskRecord): string {
    return `A task of ${shown(record.toolName)}, created by ${versionOf(record)}, does not fit version ${shown(this.version)}`;
  }

  private warn(cause: string, text: string): void {
    if (this.warned.has(cause)) return;
    if (this.warned.size >= REMEMBERED) this.warned.delete(this.warned.values().next().value!);
    this.warned.add(cause);
    this.logger.warn(text);
  }
}

const ADVICE = 'Keep the keys and questions of a tool unchanged while tasks of the former version are stored';

function unused(key: string, kind: string): string {
  return kind === 'step' ? `the result of step "${shown(key)}" is no longer used` : `the answer to "${shown(key)}" is no longer used`;
}

function instead(ran: readonly string[]): string {
  if (ran.length === 0) return '';
  const keys = ran.map((key) => `"${shown(key)}"`).join(', ');
  return `, and it ran ${keys}: a step that was renamed has run twice`;
}

/** Records of old releases have no version. */
function versionOf({ handlerVersion }: { readonly handlerVersion?: string }): string {
  return handlerVersion === undefined ? 'an older version' : `version ${shown(handlerVersion)}`;
}

function shown(text: string): string {
  return loggable(text, 200);
}
