/** Marks a request that nobody sent over HTTP. A registered symbol, so that two copies of this package agree. */
const STAND_IN = Symbol.for('@mocapi/core:stand-in-request');

/** The context type that enhancers see in Nest: an HTTP request, or a call that came without one. */
export type ContextType = 'http' | 'mcp';

/**
 * Marks `request` as a stand-in: it has the shape of an HTTP request, but no HTTP client waits for its answer. Enhancers that run with it
 * see a context of type `'mcp'`. Use it for requests of other transports and for executions that nobody called.
 *
 * @returns the same object
 */
export function standInRequest<Request extends object>(request: Request): Request {
  return Object.defineProperty(request, STAND_IN, { value: true });
}

/** The type of the context around `request`: `'http'` unless it was marked by {@link standInRequest}, so that a guard never skips what it does not know. */
export function contextTypeOf(request: object): ContextType {
  return STAND_IN in request ? 'mcp' : 'http';
}
