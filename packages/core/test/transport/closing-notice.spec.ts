import { ClosingNotice, QUIET_MS } from '../../src/transport/streamable-http/closing-notice.js';

/** How long the notice lasts, in milliseconds, with a request every 10 ms for so long. */
async function lasts(longestMs: number, askedForMs = 0): Promise<number> {
  const notice = new ClosingNotice(longestMs);
  const start = performance.now();
  const asking = setInterval(() => performance.now() - start < askedForMs && notice.asked(), 10);
  await notice.over();
  clearInterval(asking);
  return performance.now() - start;
}

// A timer may be a millisecond early.
const EARLY_MS = 2;

describe('the notice of a server that ends', () => {
  it('is over soon when nobody asks', async () => {
    const ms = await lasts(60_000);
    expect(ms).toBeGreaterThanOrEqual(QUIET_MS - EARLY_MS);
  });

  it('goes on while somebody asks', async () => {
    const askedForMs = 2.5 * QUIET_MS;
    expect(await lasts(60_000, askedForMs)).toBeGreaterThan(askedForMs);
  });

  it('is over in time, though somebody goes on to ask', async () => {
    const ms = await lasts(2 * QUIET_MS, 60_000);
    expect(ms).toBeGreaterThanOrEqual(2 * QUIET_MS - 2 * EARLY_MS);
  });

  it.each([0, 20])('is never longer than it may be (%i ms)', async (longestMs) => {
    const notice = new ClosingNotice(longestMs);
    let isOver = false;
    const over = notice.over().then(() => (isOver = true));
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS - 10));
    expect(isOver).toBe(true);
    await over;
  });
});
