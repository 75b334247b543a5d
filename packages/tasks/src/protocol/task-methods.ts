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
