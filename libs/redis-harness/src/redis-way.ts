/** A Redis that runs for the tests, and how to be done with it. */
export interface RunningRedis {
  /** Where it answers: `redis://host:port`. */
  readonly url: string;
  /** Which way it came: the name of its {@link RedisWay}. */
  readonly way: string;
  /** Ends it, if it is ours. */
  readonly stop: () => Promise<void>;
}

/** One way to come by a Redis. */
export interface RedisWay {
  readonly name: string;
  /** How a developer gets this way; completes the sentence "To have one, …". */
  readonly hint: string;
  /** Why this way is closed here; nothing when it is open. It asks cheaply and starts nothing. */
  closedBecause(): Promise<string | undefined>;
  /** Starts it, or rejects with the reason. */
  start(): Promise<RunningRedis>;
  /** Whoever took this way on purpose wants no other when it fails. */
  readonly final?: boolean;
}
