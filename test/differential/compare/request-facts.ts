import type { RawRequest } from '../wire/raw-request.js';

/** What a request says, as far as it can be read, for those who judge differences. */
export interface RequestFacts {
  readonly verb: string;
  /** By lower-case name; of a repeated one, all values joined by a comma, as both servers see it. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; undefined if it is none. */
  readonly json: unknown;
  /** The method, if the body is a message with one. */
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

export function factsOf({ verb, headers, body }: RawRequest): RequestFacts {
  const text = body.toString('utf8');
  const json = parsed(text);
  const message = objectOf(json);
  const params = objectOf(message['params']);
  return {
    verb,
    headers: joined(headers),
    text,
    json,
    method: typeof message['method'] === 'string' ? message['method'] : undefined,
    params,
    meta: objectOf(params['_meta']),
  };
}

function joined(headers: RawRequest['headers']): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    values[key] = values[key] === undefined ? value.trim() : `${values[key]}, ${value.trim()}`;
  }
  return values;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
