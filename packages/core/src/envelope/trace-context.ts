import { defined, type JsonObject, type JsonValue } from '../protocol/json.js';
import { BAGGAGE_META_KEY, TRACEPARENT_META_KEY, TRACESTATE_META_KEY } from '../protocol/official.js';

/** W3C Trace Context and Baggage as the client sent them in `_meta`; malformed values are absent. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

// W3C Trace Context §3.2.2. A version after 00 may append fields; ff is forbidden, and so are ids of zeros alone.
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]*)?$/;
const TRACEPARENT_LENGTH_OF_00 = 55;

// W3C Trace Context §3.3.1: at most 32 members `key=value`, keys unique.
const TRACESTATE_KEY = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
const TRACESTATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_TRACESTATE_MEMBERS = 32;

// W3C Baggage §3.3: `key=value` with properties after semicolons; at most 8192 bytes.
const BAGGAGE_MEMBER =
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+[\t ]*=[\t ]*(?:[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+[\t ]*)?(?:;[\t\x20-\x2b\x2d-\x7e]*)?$/;
const MAX_BAGGAGE_LENGTH = 8192;
const MAX_TRACE_LENGTH = 8192;

/**
 * Trace context as `_meta` carries it (MCP basic "_meta": `traceparent`, `tracestate`, `baggage`). What is malformed is absent and
 * never fails the request; `tracestate` and `baggage` mean nothing here without a `traceparent`.
 */
export function readTraceContext(meta: JsonObject): TraceContext | undefined {
  const traceparent = meta[TRACEPARENT_META_KEY];
  if (traceparent === undefined || !isTraceparent(traceparent)) return undefined;
  const tracestate = meta[TRACESTATE_META_KEY];
  const baggage = meta[BAGGAGE_META_KEY];
  return {
    traceparent,
    ...defined({
      tracestate: isTracestate(tracestate) ? tracestate : undefined,
      baggage: isBaggage(baggage) ? baggage : undefined,
    }),
  };
}

function isTraceparent(value: JsonValue | undefined): value is string {
  if (typeof value !== 'string' || value.length > MAX_TRACE_LENGTH || !TRACEPARENT.test(value)) return false;
  return !value.startsWith('00') || value.length === TRACEPARENT_LENGTH_OF_00;
}

function isTracestate(value: JsonValue | undefined): value is string {
  if (typeof value !== 'string' || value.length > MAX_TRACE_LENGTH) return false;
  const members = value.split(',').map((member) => member.trim());
  const named = members.filter((member) => member !== '');
  if (named.length === 0 || named.length > MAX_TRACESTATE_MEMBERS) return false;
  const keys = new Set<string>();
  for (const member of named) {
    const equals = member.indexOf('=');
    const key = member.slice(0, equals);
    if (equals < 0 || !TRACESTATE_KEY.test(key) || !TRACESTATE_VALUE.test(member.slice(equals + 1))) return false;
    keys.add(key);
  }
  return keys.size === named.length;
}

function isBaggage(value: JsonValue | undefined): value is string {
  if (typeof value !== 'string' || value.length > MAX_BAGGAGE_LENGTH) return false;
  return value.split(',').every((member) => BAGGAGE_MEMBER.test(member.trim()));
}
