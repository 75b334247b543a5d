import { startOrExplain } from '@mocapi/demo';
import { Closing } from './closing.js';
import { endOnSignals } from './end-on-signals.js';
import { twoNodes } from './two-nodes.js';

const closing = new Closing();
endOnSignals(closing);

await startOrExplain(async () => {
  try {
    await twoNodes({ keep: process.argv.includes('--keep'), env: process.env }, closing);
  } catch (error) {
    // What fails because it is being ended is not worth telling: the signal ends the process.
    if (closing.begun) await new Promise(() => undefined);
    throw error;
  } finally {
    await closing.close();
  }
});
