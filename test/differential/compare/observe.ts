import type { RawResponse } from '../wire/raw-response.js';

/** What of one response is compared: facets by name, each a JSON value. What a facet is absent of is not there. */
export type Observation = ReadonlyMap<string, unknown>;

type Message = Readonly<Record<string, unknown>>;

/** Headers that mean something to a client, beside the content type. */
const KEY_HEADERS = ['allow', 'www-authenticate', 'mcp-session-id', 'x-accel-buffering', 'retry-after', 'location'];
/** Members of `error.data` that the revision defines; the rest of it is free (MCP basic "Responses"). */
const DEFINED_DATA = ['requiredCapabilities', 'supported', 'requested', 'uri'];
const MASK = '<masked>';

/** Reads a response. What may differ between two runs of one server is masked: texts of errors, and the sealed state. */
export function observe(response: RawResponse): Observation {
  const facets = new Map<string, unknown>();
  const kind = kindOf(response);
  facets.set('status', response.status).set('content', kind);
  for (const name of KEY_HEADERS) if (response.headers[name] !== undefined) facets.set(`header ${name}`, response.headers[name]);
  const messages = readMessages(kind, response.body);
  if (messages === undefined) return facets.set('outcome', 'unreadable');
  const notifications = messages.filter(({ method }) => method !== undefined);
  notifications.forEach((notification, index) => flatten(facets, `notifications[${index}]`, notification));
  const answers = messages.filter(({ method }) => method === undefined);
  if (answers.length > 1) facets.set('answers', answers.length);
  observeAnswer(facets, answers.at(-1));
  return facets;
}

function kindOf({ headers, body }: RawResponse): string {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return 'json';
  if (type === 'text/event-stream') return 'event stream';
  return body === '' ? 'none' : (type ?? 'untyped');
}

function readMessages(kind: string, body: string): readonly Message[] | undefined {
  try {
    if (kind === 'json') return [JSON.parse(body) as Message].flat();
    return kind === 'event stream' ? body.split(/\r?\n\r?\n/).flatMap(readFrame) : [];
  } catch {
    return undefined;
  }
}

function readFrame(frame: string): Message[] {
  const data = frame.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []));
  const text = data.join('\n').trim();
  return text === '' ? [] : [JSON.parse(text) as Message];
}

function observeAnswer(facets: Map<string, unknown>, answer: Message | undefined): void {
  if (answer === undefined) return void facets.set('outcome', 'no answer');
  facets.set('jsonrpc', answer.jsonrpc).set('id', 'id' in answer ? answer.id : 'absent');
  const { result, error } = answer as { result?: Message; error?: Message };
  if (error !== undefined) {
    facets.set('outcome', `error ${String(error.code)}`);
    if (typeof error.message !== 'string' || error.message === '') facets.set('error.message', error.message);
    const data = (error.data ?? {}) as Message;
    for (const name of DEFINED_DATA) if (data[name] !== undefined) facets.set(`error.data.${name}`, data[name]);
    return;
  }
  const resultType = typeof result?.resultType === 'string' ? result.resultType : 'without resultType';
  facets.set('outcome', `result ${resultType}${result?.isError === true ? ', isError' : ''}`);
  flatten(facets, 'result', masked(result));
}

/** A failure's text is each server's own; what is sealed differs from time to time. */
function masked(result: Message | undefined): unknown {
  if (result === undefined) return undefined;
  const { requestState, content, ...rest } = result;
  return {
    ...rest,
    ...(requestState === undefined ? {} : { requestState: typeof requestState === 'string' ? MASK : requestState }),
    ...(content === undefined ? {} : { content: result.isError === true ? maskedTexts(content) : content }),
  };
}

function maskedTexts(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((block: unknown) =>
    typeof block === 'object' && block !== null && 'text' in block ? { ...block, text: MASK } : block,
  );
}

/** One facet for each leaf, by its path; empty objects and arrays are leaves. */
function flatten(facets: Map<string, unknown>, path: string, value: unknown): void {
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isLeaf) return void facets.set(path, value);
  for (const [key, member] of Object.entries(value)) flatten(facets, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, member);
}
