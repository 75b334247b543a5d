const NOT_STARTED: object = new Proxy(Object.freeze({}), {
  get: () => {
    throw new Error('The MCP server has not started yet: await app.init() or app.listen() first');
  },
});

/**
 * Holds an endpoint from the moment when it is assembled, at boot. Parts that are injected before that read it here: none of them has a rule
 * of its own that is open until somebody fills it.
 */
export class EndpointHandle<E extends object = object> {
  private isFilled = false;
  /** The endpoint. Before it is published, reading any member of it throws. */
  current = NOT_STARTED as E;

  /** The endpoint; undefined before it is published. */
  get published(): E | undefined {
    return this.isFilled ? this.current : undefined;
  }

  /** @throws Error when it is called a second time */
  publish(endpoint: E): void {
    if (this.isFilled) throw new Error('The endpoint has already been published');
    this.current = endpoint;
    this.isFilled = true;
  }
}
