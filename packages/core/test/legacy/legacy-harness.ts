import { createMcpTestingApp, type McpTestingApp, type McpTestingAppOptions } from '@mocapi/testing';

/** A reply to one POST, whatever its framing. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The messages of the body: of a stream, of an array, or the one of a plain body. */
  readonly messages: readonly any[];
  readonly last: any;
}

/** A server and whoever posts to it in the words of a 2025 revision. */
export class OlderApp {
  private constructor(readonly testing: McpTestingApp) {}

  static async start(options: McpTestingAppOptions): Promise<OlderApp> {
    return new OlderApp(await createMcpTestingApp(options));
  }

  async post(body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const response = await this.begin(body, headers);
    const text = await response.text();
    const messages = read(text, response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, messages, last: messages.at(-1) };
  }

  /** An empty header is left out. */
  begin(body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    const all = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    };
    return fetch(this.testing.url, {
      method: 'POST',
      headers: Object.entries(all).filter(([, value]) => value !== ''),
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  }

  call(name: string, rest: object = {}, headers: Record<string, string> = {}): Promise<Reply> {
    return this.post(older('tools/call', { name, ...rest }), headers);
  }

  close(): Promise<void> {
    return this.testing.close();
  }
}

/** A request as the 2025 revisions have it: without an envelope. */
export function older(method: string, params?: object, id: string | number = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) };
}

/** The handshake of revision 2025-11-25. */
export const INITIALIZE = older('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {}, sampling: {}, roots: {} },
  clientInfo: { name: 'older', version: '1' },
});

/** The `_meta` that makes a request one of 2026-07-28. */
export const ENVELOPE = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

function read(text: string, type: string): any[] {
  if (text === '') return [];
  if (!type.startsWith('text/event-stream')) return [JSON.parse(text)].flat();
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!) as unknown);
}
