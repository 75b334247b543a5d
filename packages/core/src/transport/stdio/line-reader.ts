const NEWLINE = 0x0a;

/** What a reader makes of its bytes. */
export interface LineListener {
  /** One line, without its end; never empty. */
  line(bytes: Buffer): void;
  /** A line that grew beyond the cap: called once for it, and the rest of it is skipped. */
  tooLong(): void;
}

/**
 * Splits bytes into the lines of the stdio transport (MCP transports "stdio": one message per line). It keeps no more than one line, and
 * of that no more than the cap. Empty lines are skipped: they are no messages, and end the line of a Windows pipe.
 */
export class LineReader {
  private parts: Buffer[] = [];
  private length = 0;
  private isSkipping = false;

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
    if (this.isSkipping) return;
    this.length += part.length;
    if (this.length <= this.maxBytes) {
      this.parts.push(part);
      return;
    }
    this.parts = [];
    this.isSkipping = true;
    this.listener.tooLong();
  }

  private endLine(): void {
    const line = Buffer.concat(this.parts);
    this.parts = [];
    this.length = 0;
    this.isSkipping = false;
    if (!isBlank(line)) this.listener.line(line);
  }
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
