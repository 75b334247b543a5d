/** What came back, before anything is read into it. */
export interface RawResponse {
  /** 0 when the connection ended without a response. */
  readonly status: number;
  /** By lower-case name; of a repeated one, all values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether its framing says that nothing more can come. */
  readonly isWhole: boolean;
}

const NO_RESPONSE: RawResponse = { status: 0, headers: {}, body: '', isWhole: false };

/** Reads the bytes of one response (RFC 9112), as far as they came. */
export function parseResponse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return NO_RESPONSE;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const { content, isWhole } = contentOf(bytes.subarray(end + 4), headers);
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: content.toString('utf8'), isWhole };
}

interface Content {
  readonly content: Buffer;
  readonly isWhole: boolean;
}

function contentOf(bytes: Buffer, headers: Readonly<Record<string, string>>): Content {
  if (headers['transfer-encoding'] === 'chunked') return unchunked(bytes);
  const length = headers['content-length'];
  return { content: bytes, isWhole: length !== undefined && bytes.length >= Number(length) };
}

function unchunked(bytes: Buffer): Content {
  const parts: Buffer[] = [];
  let isWhole = false;
  for (let at = 0; at < bytes.length && !isWhole;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) break;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    isWhole = size === 0;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return { content: Buffer.concat(parts), isWhole };
}
