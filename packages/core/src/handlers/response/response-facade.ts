/** Hears of the headers of a response. */
export type HeaderListener = (name: string, value: unknown) => void;

/** Changes that a filter or interceptor written for HTTP made to the response it was given. */
export interface RecordedResponse {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Stands in for the HTTP reply in a handler's context: a handler of MCP never answers HTTP itself, yet filters and interceptors written for HTTP
 * call these methods. Everything is recorded; headers alone go on, as far as they are allowed. Nothing is sent. Methods of Fastify's and Express's replies that it does not know do nothing.
 */
export class ResponseFacade {
  private statusCodeValue = 200;
  private bodyValue: unknown;
  private wasSent = false;
  private wasAnswered = false;
  private readonly waiting: (() => void)[] = [];
  private readonly headers = new Map<string, unknown>();

  /** @param changed receives each header that is set, or removed (undefined) */
  constructor(private readonly changed: HeaderListener = () => undefined) {}

  /** The answer that was recorded, or undefined when none was given. */
  get recorded(): RecordedResponse | undefined {
    return this.wasSent ? { status: this.statusCodeValue, body: this.bodyValue } : undefined;
  }

  get statusCode(): number {
    return this.statusCodeValue;
  }

  set statusCode(status: number) {
    this.statusCodeValue = status;
  }

  get sent(): boolean {
    return this.wasSent;
  }

  get headersSent(): boolean {
    return this.wasSent;
  }

  get raw(): this {
    return this;
  }

  code(status: number): this {
    this.statusCodeValue = status;
    return this;
  }

  status(status: number): this {
    return this.code(status);
  }

  send(body?: unknown): this {
    this.bodyValue = body;
    this.wasSent = true;
    return this.answered();
  }

  /** Express's: an answer that is a status alone. Its text says no more than the status, so it is not recorded as a body. */
  sendStatus(status: number): this {
    return this.code(status).send();
  }

  jsonp(body?: unknown): this {
    return this.send(body);
  }

  /** Redirects nobody, but counts as an answer for code that waits for one. */
  redirect(): this {
    return this.code(302).answered();
  }

  callNotFound(): this {
    return this.code(404).answered();
  }

  /** Whether anything has ended the response, be it without a status and a body that could be recorded. */
  get isAnswered(): boolean {
    return this.wasAnswered;
  }

  get writableEnded(): boolean {
    return this.wasAnswered;
  }

  /** Resolves when an answer is given; never if none is. */
  whenAnswered(): Promise<void> {
    return this.wasAnswered ? Promise.resolve() : new Promise((resolve) => void this.waiting.push(resolve));
  }

  /** Ends the response for code that waits for an answer, and records none. */
  answered(): this {
    this.wasAnswered = true;
    for (const tell of this.waiting.splice(0)) tell();
    return this;
  }

  json(body?: unknown): this {
    return this.send(body);
  }

  end(body?: unknown): this {
    return this.send(body);
  }

  header(name: string, value: unknown): this {
    this.headers.set(name.toLowerCase(), value);
    this.changed(name, value);
    return this;
  }

  /** Sets one header by name and value, or several by an object, as Express does. */
  set(names: string | Readonly<Record<string, unknown>>, value?: unknown): this {
    return typeof names === 'string' ? this.header(names, value) : this.headersOf(names);
  }

  /** Adds a value to those that the header has. */
  append(name: string, value: unknown): this {
    const former = this.getHeader(name);
    return this.header(name, former === undefined ? value : [former, value].flat().map(String));
  }

  appendHeader(name: string, value: unknown): this {
    return this.append(name, value);
  }

  vary(field: string): this {
    const former = this.getHeader('vary');
    return this.header('vary', typeof former === 'string' ? `${former}, ${field}` : field);
  }

  writeHead(status: number, ...rest: readonly unknown[]): this {
    const headers = rest.at(-1);
    if (typeof headers === 'object' && headers !== null) this.headersOf(headers as Record<string, unknown>);
    return this.code(status);
  }

  setHeader(name: string, value: unknown): this {
    return this.header(name, value);
  }

  getHeader(name: string): unknown {
    return this.headers.get(name.toLowerCase());
  }

  removeHeader(name: string): this {
    this.headers.delete(name.toLowerCase());
    this.changed(name, undefined);
    return this;
  }

  hasHeader(name: string): boolean {
    return this.headers.has(name.toLowerCase());
  }

  getHeaders(): Record<string, unknown> {
    return Object.fromEntries(this.headers);
  }

  getHeaderNames(): string[] {
    return [...this.headers.keys()];
  }

  private headersOf(headers: Readonly<Record<string, unknown>>): this {
    for (const [name, value] of Object.entries(headers)) this.header(name, value);
    return this;
  }

  type(contentType: string): this {
    return this.header('content-type', contentType);
  }

  isHeadersSent(): boolean {
    return this.wasSent;
  }
}

/** Methods of Express's and Fastify's replies that end the response by what cannot be recorded: a file, a page, a closed connection. */
const ENDINGS: ReadonlySet<PropertyKey> = new Set(['sendFile', 'sendfile', 'download', 'render', 'view', 'hijack', 'destroy']);

/** A facade whose unknown members are harmless functions that return it. */
export function responseFacade(changed?: HeaderListener): ResponseFacade {
  const facade: ResponseFacade = new Proxy(new ResponseFacade(changed), {
    get(target, key) {
      if (key in target) {
        const member: unknown = Reflect.get(target, key, target);
        if (typeof member !== 'function') return chain(target, facade, member);
        return (...args: unknown[]) => chain(target, facade, member.apply(target, args));
      }
      if (ENDINGS.has(key)) return () => chain(target, facade, target.answered());
      // A thenable or an iterable would be taken for something else than a response.
      return typeof key === 'symbol' || key === 'then' ? undefined : () => facade;
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  });
  return facade;
}

function chain(target: ResponseFacade, facade: ResponseFacade, result: unknown): unknown {
  return result === target ? facade : result;
}
