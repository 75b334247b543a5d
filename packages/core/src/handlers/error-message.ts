/** What an `HttpException` looks like from outside: recognised by shape, so that two copies of Nest agree. */
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

/** The message that an HTTP error gives its client: its response's text, or the `message` or messages in it. */
export function httpErrorMessage(error: HttpErrorLike): string {
  const response = error.getResponse();
  if (typeof response === 'string') return response;
  if (typeof response === 'object' && response !== null) {
    const { message } = response as { message?: unknown };
    if (typeof message === 'string') return message;
    if (Array.isArray(message)) return message.filter((line) => typeof line === 'string').join('; ');
  }
  return `HTTP ${error.getStatus()}`;
}
