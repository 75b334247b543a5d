/**
 * Whether the guards around a request have been asked. Dispatch asks them before it answers with an error, unless they were: no answer may tell a
 * stranger more than another, and a guard that counts requests counts each of them once.
 */
export interface GuardMark {
  /** `endpoint`: those of the application and the endpoint. `all`: those of a handler too, or one has refused. */
  asked: 'none' | 'endpoint' | 'all';
}
