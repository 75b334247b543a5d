/**
 * Whether the guards around a request have run. Dispatch runs them before it answers with an error, unless they have
 * run: no answer may reveal more to a stranger than another, and a guard that counts requests counts each of them
 * once.
 */
export interface GuardMark {
  /** `endpoint`: those of the application and the endpoint. `all`: those of a handler too, or one has refused. */
  asked: 'none' | 'endpoint' | 'all';
}
