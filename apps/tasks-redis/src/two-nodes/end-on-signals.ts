import { constants } from 'node:os';
import type { Closing } from './closing.js';

/**
 * On Ctrl-C and similar signals, ends everything that was started and then the process, with the code that shells use
 * for it.
 */
export function endOnSignals(closing: Closing): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // A terminal sends it to npm, too, which passes it on: it may come twice.
    process.on(signal, () => void closing.close().then(() => process.exit(128 + constants.signals[signal])));
  }
}
