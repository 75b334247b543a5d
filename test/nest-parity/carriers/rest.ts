import { telling } from '../compare/http-headers.js';
import type { End, Observation } from '../compare/observation.js';
import { takePass } from '../model/journal.js';
import { script } from '../model/surface.js';
import type { Ground, Trip } from './carrier.js';

/** The route of a row: what it does is what is right. */
export async function runRoute({ origin }: Ground, { surface, input }: Trip): Promise<Observation> {
  script.asks = false;
  takePass();
  const response = await fetch(`${origin}/${surface.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...input.headers },
    body: JSON.stringify(input.args),
  });
  const text = await response.text();
  const body = readBody(response.headers.get('content-type') ?? '', text);
  return { passes: [takePass()], end: endOf(response.status, body), headers: telling(response.headers), httpStatus: response.status };
}

function readBody(contentType: string, text: string): unknown {
  if (text === '') return undefined;
  return contentType.startsWith('application/json') ? (JSON.parse(text) as unknown) : text;
}

function endOf(status: number, body: unknown): End {
  return status < 400 ? { kind: 'answered', answer: body } : { kind: 'refused', code: status, said: messagesOf(body) };
}

/** The messages of a refusal: the `message` of its body, be it one or many; else the body as it is, if it says more than its status. */
function messagesOf(body: unknown): string[] {
  if (typeof body === 'string') return [body];
  const { message } = (body ?? {}) as { message?: unknown };
  if (typeof message === 'string') return [message];
  if (Array.isArray(message)) return message.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return typeof message === 'object' && message !== null ? [JSON.stringify(message)] : [];
}
