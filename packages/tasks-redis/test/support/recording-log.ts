/** A logger that keeps what it is told. */
export class RecordingLog {
  readonly lines: string[] = [];
  readonly warnings: string[] = [];

  log = (line: string): void => void this.lines.push(line);
  warn = (line: string): void => void this.warnings.push(line);

  /** All that was told, of either kind. */
  text(): string {
    return [...this.lines, ...this.warnings].join('\n');
  }
}
