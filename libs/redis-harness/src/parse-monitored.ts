/** One command that a Redis carried out. */
export interface MonitoredCommand {
  /** In milliseconds, by the clock of Redis. */
  readonly at: number;
  /** The address of the client, or `lua`. */
  readonly source: string;
  readonly args: readonly string[];
}

const LINE = /^\+(\d+\.\d+) \[\d+ (\S+)\] (.*)$/s;
const QUOTED = /"((?:[^"\\]|\\.)*)"/gs;
const ESCAPED = /\\(x[0-9a-f]{2}|.)/gs;
const NAMED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b' };

/** Reads a line of MONITOR. @throws Error when it is none */
export function parseMonitored(line: string): MonitoredCommand {
  const [, time, source, words] = LINE.exec(line) ?? [];
  if (time === undefined || source === undefined || words === undefined) throw new Error(`Not a line of MONITOR: ${line.slice(0, 100)}`);
  return { at: Number(time) * 1000, source, args: Array.from(words.matchAll(QUOTED), ([, quoted]) => unescaped(quoted ?? '')) };
}

/** Decodes the escapes with which MONITOR prints bytes that are not printable ASCII. */
function unescaped(quoted: string): string {
  if (!quoted.includes('\\')) return quoted;
  const bytes = quoted.replace(ESCAPED, (_, escaped: string) =>
    escaped.length === 3 ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16)) : (NAMED[escaped] ?? escaped),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
