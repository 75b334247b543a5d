/** The extension's id among the `extensions` of both capability objects. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The server's declaration under that id. Exactly `{}`: the official client takes settings for "no tasks". */
export const TASKS_CAPABILITY: Readonly<Record<string, never>> = Object.freeze({});

/** The extension's requests. Each names its task in `params.taskId` and, over HTTP, in `Mcp-Name`. */
export const TaskMethod = {
  Get: 'tasks/get',
  Update: 'tasks/update',
  Cancel: 'tasks/cancel',
} as const;

/** A request of the Tasks extension. */
export type TaskMethod = (typeof TaskMethod)[keyof typeof TaskMethod];

/** Sent on a `subscriptions/listen` stream when a watched task changes. */
export const TASKS_NOTIFICATION = 'notifications/tasks';
