/** Facts that a server reports: the fields of `INFO`, and the readable parameters of `CONFIG GET`. */
export interface ServerFacts {
  /** `host:port`. */
  readonly address: string;
  /** The fields of `INFO`; empty where it is denied. */
  readonly info: ReadonlyMap<string, string>;
  /** Undefined where `CONFIG` is denied, as managed servers often do. */
  readonly config: ReadonlyMap<string, string> | undefined;
}

/** The fields of the text that `INFO` answers with. */
export function parseInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

/** The parameters of the flat list that `CONFIG GET` answers with. */
export function parseConfig(flat: readonly string[]): ReadonlyMap<string, string> {
  return new Map(flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : [])));
}
