/** The extension's id among the `extensions` of both capability objects. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The server's declaration under that id. Exactly `{}`: the official client takes settings for "no tasks". */
export const TASKS_CAPABILITY: Readonly<Record<string, never>> = Object.freeze({});
