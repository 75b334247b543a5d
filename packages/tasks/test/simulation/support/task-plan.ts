/** What a scripted body does next. */
export type Act =
  | { readonly do: 'sleep'; readonly ms: number }
  | { readonly do: 'step'; readonly key: string; readonly ms: number }
  | { readonly do: 'ask'; readonly keys: readonly string[] }
  | { readonly do: 'progress' }
  /** Ends the body: by a tool error, or by a JSON-RPC error. */
  | { readonly do: 'break' | 'deny' };

/** How a client answers what a task asks. */
export type Answering = 'all' | 'twice' | 'one by one' | 'nonsense first' | 'never';

/** One task of a schedule: what its body does, and what its client does about it. */
export interface TaskPlan {
  readonly name: string;
  /** Run again after its node died, or failed as interrupted. */
  readonly tool: 'replayed' | 'interrupted';
  readonly acts: readonly Act[];
  readonly ignoresSignal: boolean;
  readonly ttlMs: number;
  readonly principal: 'alice' | undefined;
  /** Milliseconds after the beginning. */
  readonly startsAt: number;
  /** Milliseconds after the task was made known. */
  readonly cancelsAfter: number | undefined;
  readonly answering: Answering;
  /** Whether its client also listens for pushes. */
  readonly listens: boolean;
}
