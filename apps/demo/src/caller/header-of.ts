import type { IncomingHttpHeaders } from 'node:http';

/** A header of the request that brought an execution about; undefined when it is absent or blank. */
export function headerOf(request: object, name: string): string | undefined {
  const { headers } = request as { headers?: IncomingHttpHeaders };
  const value = headers?.[name];
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text === '' ? undefined : text;
}
