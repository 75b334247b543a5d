/** What can be said to have changed. */
export type Change = 'tools' | 'prompts' | 'resources' | `resource ${string}`;

/** One server under comparison, listening on 127.0.0.1. */
export interface Endpoint {
  readonly port: number;
  /** Tells who listens what has changed. */
  announce(change: Change): void;
  close(): Promise<void>;
}

/** How both servers of a pair are set up. */
export interface PairSettings {
  readonly legacy: 'stateless' | 'reject';
  /** Whether there is more than one tool. */
  readonly isWhole: boolean;
}
