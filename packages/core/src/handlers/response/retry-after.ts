import type { ResponseFacade } from './response-facade.js';

/** Milliseconds after which a client may try again, as `Retry-After` on the response says: seconds, or a date (RFC 9110 §10.2.3). */
export function retryAfterMs(response: ResponseFacade): number | undefined {
  const name = response.getHeaderNames().find((key) => key === 'retry-after' || key.startsWith('retry-after-'));
  const value = name === undefined ? undefined : response.getHeader(name);
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (/^\d{1,12}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const date = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
