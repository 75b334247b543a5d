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
export const EMPTY_RECORD: Size = { json: 2, memory: 1024 };

/** A size that is being added up. */
export class Tally implements Size {
  json: number;
  memory: number;

  constructor({ json, memory }: Size = { json: 0, memory: 0 }) {
    this.json = json;
    this.memory = memory;
  }

  /** Takes a size off again. */
  take({ json, memory }: Size): void {
    this.json -= json;
    this.memory -= memory;
  }

  /** A number, a boolean or null: as many bytes as it has characters. */
  addPlain(characters: number): void {
    this.json += characters;
    this.memory += characters;
  }

  addText(text: string): void {
    const bytes = textBytes(text);
    this.json += bytes;
    // A text with one wide character takes two bytes for each.
    this.memory += TEXT_BYTES + (bytes > text.length + 2 && WIDE.test(text) ? 2 * text.length : bytes);
  }

  /** The name of a member, with its colon and comma. */
  addName(name: string): void {
    this.addPlain(textBytes(name) + 2);
  }

  /** An object without its members and their names. */
  addObject(members: number): void {
    this.json += 2;
    this.memory += OBJECT_BYTES + MEMBER_BYTES * members;
  }

  /** An array without its elements. */
  addArray(elements: number): void {
    this.json += 2 + elements;
    this.memory += OBJECT_BYTES + ELEMENT_BYTES * elements;
  }
}

/** The size of plain JSON, the same that `frozenCopy` finds when it copies it. */
export function sizeOf(value: unknown): Size {
  const tally = new Tally();
  add(value, tally);
  return tally;
}

function add(value: unknown, tally: Tally): void {
  if (typeof value === 'string') return tally.addText(value);
  if (typeof value !== 'object' || value === null) return tally.addPlain(String(value).length);
  if (Array.isArray(value)) {
    tally.addArray(value.length);
    for (const element of value) add(element, tally);
    return;
  }
  const members = Object.entries(value);
  tally.addObject(members.length);
  for (const [name, member] of members) {
    tally.addName(name);
    add(member, tally);
  }
}

/** Without a quote, a backslash, a control character, and anything beyond ASCII: as many bytes as characters. */
const PLAIN = /^[ !#-[\]-~]*$/;
const WIDE = /[^\0-\xFF]/;

/** The bytes of a text as JSON, its quotes included. */
function textBytes(text: string): number {
  return PLAIN.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}
