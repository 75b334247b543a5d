/** A header as it goes out, spelled as it is here. */
export type RawHeader = readonly [name: string, value: string];

/** One HTTP request, byte for byte; both servers get the same bytes. */
export interface RawRequest {
  readonly verb: string;
  readonly path: string;
  readonly headers: readonly RawHeader[];
  /** Text goes out as UTF-8. */
  readonly body: string | Buffer;
}

/** The bytes of a request. Header values go out as Latin-1, as Node reads them. The length and the end of the connection are added unless they are said. */
export function bytesOf({ verb, path, headers, body }: RawRequest): Buffer {
  const content = Buffer.isBuffer(body) ? body : Buffer.from(body, 'utf8');
  const said = new Set(headers.map(([name]) => name.toLowerCase()));
  const framing: RawHeader[] = [];
  if (!said.has('content-length') && !said.has('transfer-encoding')) framing.push(['Content-Length', String(content.length)]);
  if (!said.has('connection')) framing.push(['Connection', 'close']);
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${verb} ${path} HTTP/1.1\r\n${lines}\r\n`, 'latin1'), content]);
}

/** How a request reads in a report. */
export function describeRequest(request: RawRequest): string {
  const { verb, path, headers, body } = request;
  const text = body.toString('utf8');
  const shown = text.length > 1200 ? `${text.slice(0, 1200)}… (${text.length} characters)` : text;
  return [`${verb} ${path}`, ...headers.map(([name, value]) => `${name}: ${JSON.stringify(value)}`), shown].join('\n');
}
