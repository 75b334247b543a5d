import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type ClientOptions as OfficialOptions, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const PROTOCOL_VERSION = '2026-07-28';
export const CLIENT_INFO = { name: 'interop', version: '1' };

const ROOT = join(import.meta.dirname, '../../..');

const NEGOTIATION: Record<NonNullable<ClientOptions['mode']>, OfficialOptions> = {
  pinned: { versionNegotiation: { mode: { pin: PROTOCOL_VERSION } } },
  auto: { versionNegotiation: { mode: 'auto' } },
  legacy: { versionNegotiation: { mode: 'legacy' } },
  default: {},
};

/** What a user would answer to a form: its content, or `decline`. */
export type Answer = Record<string, string | number | boolean> | 'decline';

/** What a client of these tests is like. */
export interface ClientOptions {
  /** Sent with every request. */
  readonly headers?: Record<string, string>;
  /** How the user answers a form with that message; without it the client does not declare elicitation. */
  readonly answer?: (message: string) => Answer;
  /** How it finds the revision to speak: exactly that of the server (default), by asking first, by the handshake of 2025, or as it does when nobody says. */
  readonly mode?: 'pinned' | 'auto' | 'legacy' | 'default';
}

/** The official client, connected, together with the transport it speaks through. */
export interface Connected<T extends Transport = Transport> {
  readonly client: Client;
  readonly transport: T;
  readonly capabilities: { readonly elicitation?: { readonly form: Record<string, never> } };
}

/** Connects the official client over HTTP. */
export function connect(url: string, options: ClientOptions = {}): Promise<Connected<StreamableHTTPClientTransport>> {
  const { headers = {} } = options;
  return connectOver(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: fetchInThisRealm }), options);
}

/** Has the official client start the example on stdio and connects the two. */
export function connectStdio(options: ClientOptions = {}): Promise<Connected<StdioClientTransport>> {
  const args = ['--conditions=@mocapi/source', '--import', './tools/register.mjs', 'apps/stdio/src/main.ts'];
  return connectOver(new StdioClientTransport({ command: process.execPath, args, cwd: ROOT, stderr: 'ignore' }), options);
}

async function connectOver<T extends Transport>(transport: T, { answer, mode = 'pinned' }: ClientOptions): Promise<Connected<T>> {
  const capabilities = answer ? { elicitation: { form: {} } } : {};
  const client = new Client(CLIENT_INFO, { capabilities, ...NEGOTIATION[mode] });
  if (answer) client.setRequestHandler('elicitation/create', ({ params }) => asResult(answer(params.message)));
  await client.connect(transport);
  return { client, transport, capabilities };
}

/** An answer as the result of `elicitation/create`. */
export function asResult(answer: Answer): { action: 'accept'; content: Exclude<Answer, 'decline'> } | { action: 'decline' } {
  return answer === 'decline' ? { action: 'decline' } : { action: 'accept', content: answer };
}

/**
 * Jest runs specs in a realm of their own, and `fetch` comes from outside: the objects that its `json()` makes are no plain objects
 * here, and the tasks client takes only plain objects for JSON. So JSON is parsed in this realm.
 */
async function fetchInThisRealm(input: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  return Object.assign(response, { json: async () => JSON.parse(await response.text()) as unknown });
}
