/** Decides which resources one caller may hear of. Returns promises, because guards have to run first. */
export interface Hearing {
  /** Whether a stream that watches `uri` is acknowledged for it: not where a guard refuses its reading. */
  mayWatch(uri: string): boolean | Promise<boolean>;
  /** Whether the caller may know that `uri` has changed. */
  mayHear(uri: string): boolean | Promise<boolean>;
}

/** How many URIs are checked at a time. */
const AT_A_TIME = 16;

/** Those of the URIs that may be watched, in their order. */
export async function watchableUris(uris: readonly string[], hearing: Hearing, signal: AbortSignal): Promise<string[]> {
  const allowed: string[] = [];
  for (let start = 0; start < uris.length; start += AT_A_TIME) {
    signal.throwIfAborted();
    const asked = uris.slice(start, start + AT_A_TIME);
    const answers = await Promise.all(asked.map(async (uri) => hearing.mayWatch(uri)));
    allowed.push(...asked.filter((_, index) => answers[index]));
  }
  return allowed;
}
