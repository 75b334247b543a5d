import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Logger } from '@nestjs/common';
import type { HeaderSink, HeaderValue } from '../../dispatch/exchange.js';
import { isReservedHeader } from '../../protocol/vocabulary.js';
import { responseFacade, type ResponseFacade } from './response-facade.js';

/**
 * The headers that enhancers may set on the HTTP response of the endpoint; a trailing `*` stands for any ending. They
 * say how to authenticate, when to retry, how long a result is valid, and how to find the request in a log. Cookies
 * are not among them: MCP clients keep none.
 */
export const RESPONSE_HEADERS: readonly string[] = [
  'www-authenticate',
  'authentication-info',
  'retry-after*',
  'ratelimit*',
  'x-ratelimit*',
  'x-rate-limit*',
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'correlation-id',
  'x-trace-id',
  'traceparent',
  'traceresponse',
  'server-timing',
  'x-response-time',
  'deprecation',
  'sunset',
  'link',
  'cache-control',
  'vary',
];

/** Lets the allowed headers of enhancers through to the HTTP response, and drops every other. */
export class ResponseHeaders {
  private readonly logger = new Logger('McpResponse');
  private readonly warned = new Set<string>();
  private readonly names = new Set<string>();
  private readonly prefixes: string[] = [];

  /** @param more what the application allows beside the defaults; a trailing `*` stands for any ending */
  constructor(more: readonly string[]) {
    for (const name of [...RESPONSE_HEADERS, ...more].map((entry) => entry.toLowerCase())) {
      if (name.endsWith('*')) this.prefixes.push(name.slice(0, -1));
      else this.names.add(name);
    }
  }

  /** Sets a header on the response if it is allowed and its value is one. A value that is none is dropped, with one warning for each header. */
  set(sink: HeaderSink, name: string, value: unknown): void {
    const key = name.toLowerCase();
    if (!this.allows(key)) return;
    if (isHeaderValue(key, value)) sink.set(key, value);
    else this.warn(key);
  }

  private allows(key: string): boolean {
    if (isReservedHeader(key)) return false;
    return this.names.has(key) || this.prefixes.some((prefix) => key.startsWith(prefix));
  }

  private warn(key: string): void {
    if (this.warned.has(key) || this.warned.size > 100) return;
    this.warned.add(key);
    const name = JSON.stringify(key).slice(0, 80);
    this.logger.warn(`The header ${name} is not sent: its value must be text or a number, without line breaks or control characters`);
  }
}

function isHeaderValue(name: string, value: unknown): value is HeaderValue {
  try {
    validateHeaderName(name);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of values) {
      if (typeof one !== 'string' && typeof one !== 'number') return false;
      validateHeaderValue(name, String(one));
    }
    return values.length > 0;
  } catch {
    return false;
  }
}

/** Makes what enhancers see as the HTTP response. */
export class ResponseStandIns {
  constructor(private readonly headers: ResponseHeaders) {}

  /** @param sink where allowed headers go; undefined where no HTTP response waits */
  make(sink: HeaderSink | undefined): ResponseFacade {
    if (!sink) return responseFacade();
    return responseFacade((name, value) => {
      if (value === undefined) sink.remove(name.toLowerCase());
      else this.headers.set(sink, name, value);
    });
  }
}
