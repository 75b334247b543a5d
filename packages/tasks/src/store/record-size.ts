import type { TaskRecord } from '../record/task-record.js';

/** How large a value is: as JSON, and roughly in memory. Both in bytes. */
export interface Size {
  readonly json: number;
  readonly memory: number;
}

const OBJECT_BYTES = 64;
const MEMBER_BYTES = 48;
const ELEMENT_BYTES = 8;
const TEXT_BYTES = 24;
/** A record, its place in the map, its deadline. */
const RECORD_BYTES = 1024;

/** What was measured when it was frozen: a member that a write takes over is not measured again. */
const SIZES = new WeakMap<object, Size>();

/** Freezes what was parsed from `text`, and remembers its size. @param value plain JSON that nobody else holds */
export function frozenAndMeasured<T extends object>(value: T, text: string): T {
  const json = Buffer.byteLength(text);
  // A text with one wide character takes two bytes for each.
  const characters = json === text.length ? json : 2 * text.length;
  SIZES.set(value, { json, memory: characters + freeze(value) });
  return value;
}

/** Remembers the size of a frozen object that is made of others which were measured. */
export function measured<T extends object>(value: T, size: Size): T {
  SIZES.set(value, size);
  return value;
}

/** The size of what is in a frozen record: an object that was measured, or a primitive. */
export function sizeOf(value: unknown): Size {
  if (typeof value === 'object' && value !== null) return SIZES.get(value) ?? NOTHING;
  const json = typeof value === 'string' ? value.length : 16;
  return { json, memory: json };
}

/** The size of a record that `frozenRecord` made. */
export function recordSize(record: TaskRecord): Size {
  let json = 2;
  let memory = RECORD_BYTES;
  for (const [name, value] of Object.entries(record)) {
    const size = sizeOf(value);
    json += size.json + name.length + 4;
    memory += size.memory;
  }
  return { json, memory };
}

const NOTHING: Size = { json: 0, memory: 0 };

/** Freezes a value and all that is in it. @returns what it takes in memory beside its text, in bytes */
function freeze(value: object): number {
  let bytes = OBJECT_BYTES;
  const members = Object.values(value) as unknown[];
  bytes += members.length * (Array.isArray(value) ? ELEMENT_BYTES : MEMBER_BYTES);
  for (const member of members) {
    if (typeof member === 'string') bytes += TEXT_BYTES;
    else if (typeof member === 'object' && member !== null) bytes += freeze(member);
  }
  Object.freeze(value);
  return bytes;
}
