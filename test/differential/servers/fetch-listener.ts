import type { IncomingMessage, ServerResponse } from 'node:http';

type Fetch = (request: Request) => Promise<Response>;

/** Serves a fetch-shaped handler on Node: headers as they came, the body whole, the end of the connection as an abort. */
export function fetchListener(fetch: Fetch): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming, outgoing) => {
    serve(fetch, incoming, outgoing).catch(() => outgoing.destroy());
  };
}

async function serve(fetch: Fetch, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { status, headers, body } = await fetch(await toRequest(incoming, outgoing));
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (body === null) return void outgoing.end();
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  outgoing.once('close', () => void reader.cancel().catch(() => undefined));
  for (let part = await reader.read(); !part.done; part = await reader.read()) outgoing.write(part.value);
  outgoing.end();
}

async function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Request> {
  const controller = new AbortController();
  outgoing.once('close', () => controller.abort());
  const headers = new Headers();
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) headers.append(incoming.rawHeaders[at]!, incoming.rawHeaders[at + 1]!);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const verb = incoming.method ?? 'GET';
  const body = verb === 'GET' || verb === 'HEAD' ? null : Buffer.concat(chunks);
  return new Request(`http://127.0.0.1${incoming.url ?? '/'}`, { method: verb, headers, body, signal: controller.signal });
}
