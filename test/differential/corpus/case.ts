import type { Change } from '../servers/endpoint.js';
import type { PairName } from '../servers/pairs.js';
import type { RawHeader, RawRequest } from '../wire/raw-request.js';

/** One request of the corpus. */
export interface Case {
  readonly request: RawRequest;
  /** @default the whole servers */
  readonly pair?: PairName;
  /** The answer is a stream that stays open; these changes are announced when its first event is there. */
  readonly listens?: readonly Change[];
  /** Sent before; `STATE` in the request then stands for the `requestState` of each server's own answer. */
  readonly after?: Case;
}

/** The requests of one area, by what they are about. */
export type Area = Readonly<Record<string, Case | RawRequest>>;

/** Stands for a `requestState` that each server made itself. */
export const STATE = '@requestState@';

/** Leaves a member, a key or a header out. */
export const OUT = undefined;

export const Key = {
  version: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

export const REVISION = '2026-07-28';
/** What a client declares that can be asked everything. */
export const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** What differs from a valid request. `undefined` leaves out. */
export interface Edit {
  /** Members of the message. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** Keys of the envelope; or the envelope itself, if it is no object. */
  readonly meta?: Readonly<Record<string, unknown>> | string | null | readonly unknown[];
  readonly capabilities?: unknown;
  /** Header and envelope alike. */
  readonly version?: unknown;
  /** Over the headers, whatever the case of the name; several values repeat the header. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** In place of the message. */
  readonly body?: string | Buffer;
  readonly verb?: string;
  readonly path?: string;
}

/** A request of the revision as a client sends it, but for the edits. */
export function rpc(method: string, params: Readonly<Record<string, unknown>> = {}, edit: Edit = {}): RawRequest {
  const version = 'version' in edit ? edit.version : REVISION;
  const envelope = {
    [Key.version]: version,
    [Key.clientInfo]: { name: 'corpus', version: '1' },
    [Key.capabilities]: edit.capabilities ?? {},
  };
  const isKeys = edit.meta === undefined || (typeof edit.meta === 'object' && edit.meta !== null && !Array.isArray(edit.meta));
  const meta = isKeys ? without({ ...envelope, ...(edit.meta as object | undefined) }) : edit.meta;
  const message = without({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta }, ...edit.message });
  const routed =
    method === 'resources/read' ? params['uri'] : method === 'tools/call' || method === 'prompts/get' ? params['name'] : undefined;
  const headers: RawHeader[] = [
    ['Host', '127.0.0.1'],
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ...(typeof version === 'string' ? [['MCP-Protocol-Version', version] as const] : []),
    ['Mcp-Method', method],
    ...(typeof routed === 'string' ? [['Mcp-Name', asHeader(routed)] as const] : []),
  ];
  return {
    verb: edit.verb ?? 'POST',
    path: edit.path ?? '/mcp',
    headers: edited(headers, edit.headers ?? {}),
    body: edit.body ?? JSON.stringify(message),
  };
}

/** A valid call of a tool, but for the edits. */
export function call(name: string, args?: unknown, edit: Edit = {}): RawRequest {
  return rpc('tools/call', args === undefined ? { name } : { name, arguments: args }, edit);
}

/** Base64 in the form of header values that plain ASCII cannot hold (MCP transports "Value encoding"). */
export function sentinel(value: string): string {
  return `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

function asHeader(value: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) ? value : sentinel(value);
}

function without(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function edited(headers: readonly RawHeader[], edits: NonNullable<Edit['headers']>): RawHeader[] {
  const touched = new Set(Object.keys(edits).map((name) => name.toLowerCase()));
  const added = Object.entries(edits).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): RawHeader => [name, one]),
  );
  return [...headers.filter(([name]) => !touched.has(name.toLowerCase())), ...added];
}
