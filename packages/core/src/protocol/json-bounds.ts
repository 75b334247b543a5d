/** Bounds on the shape of a message. */
export interface JsonBounds {
  /** Levels that arrays and objects may nest. */
  readonly maxJsonDepth: number;
  /**
   * Arrays and objects together. Each takes much longer to parse, copy and collect than its two bytes suggest: a body of 4 MiB could hold 1.4 million, which
   * hold the process for more than a second.
   */
  readonly maxJsonObjects: number;
}

/** The default bounds. */
export const JSON_BOUNDS: JsonBounds = { maxJsonDepth: 64, maxJsonObjects: 250_000 };
