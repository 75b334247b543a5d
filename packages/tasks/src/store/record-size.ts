/** How large a value is: as JSON, and roughly in memory. Both in bytes. */
export interface Size {
  readonly json: number;
  readonly memory: number;
}

/** Memory that an object or an array takes without what it holds. */
const HOLDER_BYTES = 64;
const MEMBER_BYTES = 48;
const ELEMENT_BYTES = 8;
const TEXT_BYTES = 24;

/** A record, its place in the map, its deadline. */
export const EMPTY_RECORD: Size = { json: 2, memory: 1024 };

/** A size that is being added up. */
export class Tally implements Size {
  json: number;
  memory: number;

  constructor({ json, memory }: Size = { json: 0, memory: 0 }) {
    this.json = json;
    this.memory = memory;
  }

  /** Adds bytes, or takes them off if they are negative. */
  add(json: number, memory: number): void {
    this.json += json;
    this.memory += memory;
  }

  addText(text: string): void {
    const bytes = textBytes(text);
    // A text with one wide character takes two bytes for each.
    this.add(bytes, TEXT_BYTES + (bytes > text.length + 2 && WIDE.test(text) ? 2 * text.length : bytes));
  }

  /** The name of a member, with its colon and comma. @param times -1 takes it off */
  addName(name: string, times = 1): void {
    const bytes = ((NAME_BYTES.get(name) ?? textBytes(name)) + 2) * times;
    this.add(bytes, bytes);
  }

  /** An array without its elements, or an object without its members and their names. */
  addHolder(held: number, isArray: boolean): void {
    this.add(isArray ? 2 + held : 2, HOLDER_BYTES + (isArray ? ELEMENT_BYTES : MEMBER_BYTES) * held);
  }
}

/** The size of plain JSON, the same that `frozenCopy` finds when it copies it. @param tally gets it added */
export function sizeOf(value: unknown, tally = new Tally()): Tally {
  if (typeof value === 'string') tally.addText(value);
  else if (Array.isArray(value)) {
    tally.addHolder(value.length, true);
    for (const element of value) sizeOf(element, tally);
  } else if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value);
    tally.addHolder(names.length, false);
    for (const name of names) {
      tally.addName(name);
      sizeOf((value as Readonly<Record<string, unknown>>)[name], tally);
    }
  } else {
    const { length } = String(value);
    tally.add(length, length);
  }
  return tally;
}

/** Names that stand in every record and most results: those that clients choose are not remembered. */
const NAME_BYTES: ReadonlyMap<string, number> = new Map(
  (
    'taskId toolName handlerVersion arguments principal origin endpoint protocolVersion clientCapabilities clientInfo traceContext status ' +
    'statusMessage createdAt lastUpdatedAt ttlMs pollIntervalMs ledger inputRequests result error run version owner fence attempt id ' +
    'resultType content type text structuredContent key kind fingerprint answered request response method params message'
  )
    .split(' ')
    .map((name) => [name, name.length + 2]),
);

/** Without a quote, a backslash, a control character, and anything beyond ASCII: as many bytes as characters. */
const PLAIN = /^[ !#-[\]-~]*$/;
const WIDE = /[^\0-\xFF]/;

/** The bytes of a text as JSON, its quotes included. */
function textBytes(text: string): number {
  return PLAIN.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}
