const NAMED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b' };

/** An argument as MONITOR shows it, as it was: ioredis has taken the backslashes before quotes away and left all others. */
export function unescapeMonitored(shown: string): string {
  const bytes = shown.replace(/\\(x[0-9a-f]{2}|.)/gs, (_, escaped: string) =>
    escaped.length === 3 ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16)) : (NAMED[escaped] ?? escaped),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
