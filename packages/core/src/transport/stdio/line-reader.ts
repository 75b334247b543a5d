import type { RequestId } from '../../protocol/messages.js';
import { MessageIdScanner } from '../reading/message-id.js';

const NEWLINE = 0x0a;

/** Receives the lines of a reader. */
export interface LineListener {
  /** One line, without its end; never empty. */
  line(bytes: Buffer): void;
  /** A line that grew beyond the cap: called once, at its end, with the id of the request in it if that could be read. */
  tooLong(id: RequestId | undefined): void;
}

/**
 * Splits bytes into the lines of the stdio transport (MCP transports "stdio": one message per line). It keeps no more than one line, and
 * of that no more than the cap: a longer one is searched for its id as it passes by. Empty lines are skipped: they are no messages, and end the line of a Windows pipe.
 */
export class LineReader {
  private parts: Buffer[] = [];
  private length = 0;
  /** There while a line that is too long passes by. */
  private skipped: MessageIdScanner | undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly listener: LineListener,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.take(chunk.subarray(start, end));
      this.endLine();
      start = end + 1;
    }
    if (start < chunk.length) this.take(chunk.subarray(start));
  }

  /** The input is over: what has no line end yet is a line, too. */
  end(): void {
    this.endLine();
  }

  private take(part: Buffer): void {
    if (this.skipped) return this.skipped.push(part);
    this.length += part.length;
    if (this.length <= this.maxBytes) {
      this.parts.push(part);
      return;
    }
    this.skipped = new MessageIdScanner();
    for (const former of [...this.parts.splice(0), part]) this.skipped.push(former);
  }

  private endLine(): void {
    const { skipped } = this;
    const line = Buffer.concat(this.parts);
    this.parts = [];
    this.length = 0;
    this.skipped = undefined;
    if (skipped) return this.listener.tooLong(skipped.id);
    if (!isBlank(line)) this.listener.line(line);
  }
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
