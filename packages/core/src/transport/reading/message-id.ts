import { isRequestId, type JsonValue } from '../../protocol/json.js';
import type { RequestId } from '../../protocol/messages.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Bytes of a member's name or value that are kept; a longer id is not echoed. */
const MAX_TOKEN_BYTES = 512;

/**
 * Finds the id of a request in bytes that are too large or too deep to be parsed, so that its rejection reaches the
 * sender. It takes the bytes as they come, each once, and keeps a few hundred of them. It finds none in a response,
 * because that id belongs to a request of the other side.
 */
export class MessageIdScanner {
  private depth = 0;
  private inString = false;
  private isEscape = false;
  private token: number[] = [];
  private name: string | undefined;
  private readonly members = new Map<string, JsonValue | undefined>();

  /** The id, if the bytes so far hold it whole, and the method of a request. */
  get id(): RequestId | undefined {
    const id = this.members.get('id');
    const isRequest = typeof this.members.get('method') === 'string' && !this.members.has('result') && !this.members.has('error');
    return isRequest && isRequestId(id) ? id : undefined;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.inString) this.takeText(byte);
      else this.takeStructure(byte);
    }
  }

  private takeText(byte: number): void {
    this.keep(byte);
    if (this.isEscape) this.isEscape = false;
    else if (byte === BACKSLASH) this.isEscape = true;
    else if (byte === QUOTE) this.inString = false;
  }

  private takeStructure(byte: number): void {
    switch (byte) {
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.depth += 1;
        return;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        if (this.depth === 1) this.endMember();
        this.depth -= 1;
        return;
      case COLON:
        return this.nameMember();
      case COMMA:
        if (this.depth === 1) this.endMember();
        return;
      default:
        if (byte === QUOTE) this.inString = true;
        this.keep(byte);
    }
  }

  private nameMember(): void {
    if (this.depth !== 1) return;
    const name = this.readToken();
    this.name = typeof name === 'string' ? name : undefined;
  }

  private endMember(): void {
    const value = this.readToken();
    if (this.name !== undefined && NAMES.has(this.name)) this.members.set(this.name, value);
    this.name = undefined;
  }

  // What lies deeper is passed over.
  private keep(byte: number): void {
    if (this.depth === 1 && this.token.length <= MAX_TOKEN_BYTES) this.token.push(byte);
  }

  private readToken(): JsonValue | undefined {
    const { token } = this;
    this.token = [];
    if (token.length > MAX_TOKEN_BYTES) return undefined;
    try {
      return JSON.parse(Buffer.from(token).toString('utf8'));
    } catch {
      return undefined;
    }
  }
}

const NAMES: ReadonlySet<string> = new Set(['id', 'method', 'result', 'error']);

/** The id of the request that these bytes are, or begin. */
export function findMessageId(...parts: readonly Uint8Array[]): RequestId | undefined {
  const scanner = new MessageIdScanner();
  for (const part of parts) scanner.push(part);
  return scanner.id;
}
