/** The shape of an `HttpException`: recognised by shape, so that two copies of Nest agree. */
export interface HttpErrorLike {
  getStatus(): number;
  getResponse(): unknown;
}

/** Whether `error` carries an HTTP status and a response meant for clients. */
export function isHttpError(error: unknown): error is HttpErrorLike {
  if (typeof error !== 'object' || error === null) return false;
  const candidate = error as Partial<HttpErrorLike>;
  return typeof candidate.getStatus === 'function' && typeof candidate.getResponse === 'function';
}

/** Longest text that is made of an object, in UTF-16 units. */
const MAX_TEXT = 4000;

/** The text that an HTTP error gives its client: the message of its response, else the response as JSON; cut after 4,000 characters unless the author wrote it as text. */
export function httpErrorMessage(error: HttpErrorLike): string {
  const response = error.getResponse();
  return httpBodyMessage(response) ?? jsonText(response) ?? `HTTP ${error.getStatus()}`;
}

/** The message in the body of an HTTP error: the body if it is text, or its `message`, of which there may be several. Undefined when it has none. */
export function httpBodyMessage(body: unknown): string | undefined {
  if (typeof body === 'string') return body === '' ? undefined : body;
  if (typeof body !== 'object' || body === null) return undefined;
  const { message } = body as { message?: unknown };
  if (typeof message === 'string') return message === '' ? undefined : message;
  if (!Array.isArray(message)) return jsonText(message);
  const lines = message.map((line: unknown) => (typeof line === 'string' ? line : jsonText(line)));
  return cut(lines.filter((line) => line !== undefined && line !== '').join('; ')) || undefined;
}

/** An object with something in it as JSON; undefined for anything else, and for what JSON cannot hold. */
function jsonText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return undefined;
  try {
    return cut(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
}
