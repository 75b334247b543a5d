import * as fc from 'fast-check';
import { sentinel } from '../corpus/case.js';
import type { RawHeader, RawRequest } from '../wire/raw-request.js';
import { BASES } from './bases.js';

/** One change to a request, as data, so that a failing one can be made smaller. `at` picks what is changed, modulo what there is. */
type Mutation =
  | { readonly kind: 'member'; readonly at: number; readonly to: unknown }
  | { readonly kind: 'without member'; readonly at: number }
  | { readonly kind: 'more members'; readonly at: number; readonly name: string; readonly to: unknown }
  | { readonly kind: 'header'; readonly at: number; readonly how: HeaderChange }
  | { readonly kind: 'more headers'; readonly header: RawHeader }
  | { readonly kind: 'text'; readonly at: number; readonly how: TextChange };

type HeaderChange = 'leave out' | 'repeat' | 'capitals' | 'extend' | 'pad' | 'encode' | 'empty' | 'small name';
type TextChange = 'truncate' | 'insert' | 'double' | 'wrap';

const VALUES = [null, true, false, 0, -1, 7, 1.5, '', 'x', 'echo', 'demo://text', '2026-07-28', '2025-11-25', 'ü', [], ['x'], {}, { a: 1 }];
const NAMES = ['cursor', 'task', 'requestState', 'inputResponses', 'arguments', 'extra', 'result', 'error', 'progressToken', '_meta'];
const HEADERS: readonly RawHeader[] = [
  ['Mcp-Name', 'echo'],
  ['Mcp-Param-Region', 'us'],
  ['Mcp-Param-Other', 'x'],
  ['Mcp-Session-Id', 's'],
  ['Origin', 'https://evil.example.com'],
  ['Origin', 'http://localhost:1'],
  ['Last-Event-ID', '1'],
  ['X-Forwarded-For', '10.0.0.1'],
];

const at = fc.nat(200);
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('member' as const), at, to: fc.constantFrom<unknown>(...VALUES) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('without member' as const), at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('more members' as const),
      at,
      name: fc.constantFrom(...NAMES),
      to: fc.constantFrom<unknown>(...VALUES),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('header' as const),
      at,
      how: fc.constantFrom<HeaderChange>('leave out', 'repeat', 'capitals', 'extend', 'pad', 'encode', 'empty', 'small name'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('more headers' as const), header: fc.constantFrom(...HEADERS) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      at,
      how: fc.constantFrom<TextChange>('truncate', 'insert', 'double', 'wrap'),
    }),
  },
);

/** Valid requests with one to three changes. */
export const mutatedRequest: fc.Arbitrary<RawRequest> = fc
  .record({ base: fc.nat(BASES.length - 1), mutations: fc.array(mutation, { minLength: 1, maxLength: 3 }) })
  .map(({ base, mutations }) => mutations.reduce(applied, BASES[base]!));

function applied(request: RawRequest, change: Mutation): RawRequest {
  switch (change.kind) {
    case 'header':
      return { ...request, headers: changedHeaders(request.headers, change.at, change.how) };
    case 'more headers':
      return { ...request, headers: [...request.headers, change.header] };
    case 'text':
      return { ...request, body: changedText(request.body.toString(), change.at, change.how) };
    default:
      return { ...request, body: changedJson(request.body.toString(), change) };
  }
}

function changedHeaders(headers: readonly RawHeader[], index: number, how: HeaderChange): RawHeader[] {
  // Host and content type are the transport's; its cases are written by hand.
  const routing = headers.flatMap(([name], position) => (/^mcp-/i.test(name) || name === 'Accept' ? [position] : []));
  const position = routing[index % Math.max(routing.length, 1)];
  return headers.flatMap((header, each) => (each === position ? changedHeader(header, how) : [header]));
}

function changedHeader([name, value]: RawHeader, how: HeaderChange): RawHeader[] {
  const changes: Record<HeaderChange, RawHeader[]> = {
    'leave out': [],
    repeat: [
      [name, value],
      [name, value],
    ],
    capitals: [[name, value.toUpperCase()]],
    extend: [[name, `${value}x`]],
    pad: [[name, `\t ${value}  `]],
    encode: [[name, sentinel(value)]],
    empty: [[name, '']],
    'small name': [[name.toLowerCase(), value]],
  };
  return changes[how];
}

function changedText(text: string, index: number, how: TextChange): string {
  const position = Math.floor((index / 200) * text.length);
  const changes: Record<TextChange, () => string> = {
    truncate: () => text.slice(0, position),
    insert: () => `${text.slice(0, position)},${text.slice(position)}`,
    double: () => `${text}${text}`,
    wrap: () => `[${text}]`,
  };
  return changes[how]();
}

type Container = Record<string, unknown>;

function changedJson(text: string, change: Extract<Mutation, { at: number; kind: `${string}member${string}` }>): string {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return text;
  }
  const containers = containersOf(message);
  if (containers.length === 0) return text;
  if (change.kind === 'more members') containers[change.at % containers.length]![change.name] = change.to;
  else changeMember(containers, change);
  return JSON.stringify(message);
}

function changeMember(
  containers: readonly Container[],
  change: { readonly kind: string; readonly at: number; readonly to?: unknown },
): void {
  const members = containers.flatMap((container) => Object.keys(container).map((key) => ({ container, key })));
  if (members.length === 0) return;
  const { container, key } = members[change.at % members.length]!;
  if (change.kind === 'member') container[key] = change.to;
  else delete container[key];
}

/** Every object in a message, from the outside in. */
function containersOf(value: unknown): Container[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(containersOf);
  return Array.isArray(value) ? inner : [value as Container, ...inner];
}
