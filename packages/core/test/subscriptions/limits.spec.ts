import type { McpListenStream } from '@mocapi/testing';
import { startListeningApp, type ListeningApp } from './listening-app.js';

let app: ListeningApp;
afterEach(() => app.close());

const refused = async (stream: McpListenStream): Promise<unknown> => (
  await stream.ended,
  [stream.status, stream.error?.code, stream.messages]
);

describe('the number of open streams', () => {
  it('is limited for each caller, and those without a name are one caller', async () => {
    app = await startListeningApp({ limits: { maxListensPerPrincipal: 2 } });
    for (const user of ['alice', 'bob', undefined]) {
      await Promise.all([app.listen({}, user), app.listen({}, user)]);
      expect(await refused(await app.client(user).listen({}))).toEqual([429, -32603, []]);
    }
  });

  it('is limited for all callers together', async () => {
    app = await startListeningApp({ limits: { maxListens: 2 } });
    await Promise.all([app.listen({}, 'alice'), app.listen({}, 'bob')]);
    expect(await refused(await app.client('carol').listen({}))).toEqual([429, -32603, []]);
  });

  it('is 32 for a caller by default', async () => {
    app = await startListeningApp();
    await Promise.all(Array.from({ length: 32 }, () => app.listen({}, 'alice')));
    expect(await refused(await app.client('alice').listen({}))).toEqual([429, -32603, []]);
  });

  it('goes down when a client leaves, and is not touched by a request that is refused', async () => {
    app = await startListeningApp({ limits: { maxListensPerPrincipal: 1 } });
    expect(await refused(await app.client().listen('no filter'))).toEqual([200, -32602, []]);
    const first = await app.listen({});
    expect(await refused(await app.client().listen({}))).toEqual([429, -32603, []]);
    await first.close();
    // The server hears of the closed connection a little later; until it has, the place is taken.
    let again = await app.client().listen({});
    while (!(await again.next().catch(() => undefined))) again = await app.client().listen({});
    expect(again.messages).toHaveLength(1);
  });
});
