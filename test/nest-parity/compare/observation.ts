import type { Pass } from '../model/journal.js';

/** How a request ended. */
export type End =
  | { readonly kind: 'answered'; /** The value that the handler returned, as the client reads it. */ readonly answer: unknown }
  | {
      readonly kind: 'refused';
      /** The HTTP status of a route; of MCP the code of its JSON-RPC error, or undefined for a result with `isError`. */
      readonly code: number | undefined;
      /** REST: each message of the body. MCP: the text that the client reads. */
      readonly said: readonly string[];
    };

/** Everything that is compared of one request on one carrier. */
export interface Observation {
  /** Every pass of the handler, in order: two where it asked. */
  readonly passes: readonly Pass[];
  readonly end: End;
  /** The HTTP headers of the answer, without those that every answer has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly httpStatus: number;
}
