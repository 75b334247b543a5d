/** One report of progress (MCP basic/utilities/progress). */
export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Where the progress of one execution goes: the request's stream, or a task's status message. */
export interface ProgressSink {
  report(update: ProgressUpdate): void;
}
