import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export const PROTOCOL_VERSION = '2026-07-28';
export const CLIENT_INFO = { name: 'interop', version: '1' };

/** What a user would answer to a form: its content, or `decline`. */
export type Answer = Record<string, string | number | boolean> | 'decline';

/** What a client of these tests is like. */
export interface ClientOptions {
  /** Sent with every request. */
  readonly headers?: Record<string, string>;
  /** How the user answers a form with that message; without it the client does not declare elicitation. */
  readonly answer?: (message: string) => Answer;
}

/** The official client, connected, together with the transport it speaks through. */
export interface Connected {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly capabilities: { readonly elicitation?: { readonly form: Record<string, never> } };
}

/** Connects the official client at exactly the revision that the server serves. */
export async function connect(url: string, { headers = {}, answer }: ClientOptions = {}): Promise<Connected> {
  const capabilities = answer ? { elicitation: { form: {} } } : {};
  const client = new Client(CLIENT_INFO, { capabilities, versionNegotiation: { mode: { pin: PROTOCOL_VERSION } } });
  if (answer) client.setRequestHandler('elicitation/create', ({ params }) => asResult(answer(params.message)));
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: fetchInThisRealm });
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
