import { startServer, type ServerProcess } from '../../support/server-process.mjs';

/** A server that runs for every test of the describe block around it. */
export interface UsedServer {
  /** Where its endpoint is. @throws Error outside of a test */
  readonly url: string;
}

/** Starts an app before the first test of the describe block around it, and stops it after the last. @param main the demo's, if not said */
export function useServer(main = 'apps/demo/src/main.ts'): UsedServer {
  let server: ServerProcess | undefined;
  beforeAll(async () => {
    server = await startServer(main);
  }, 30_000);
  // It may not have come up.
  afterAll(() => server?.stop());
  return {
    get url() {
      if (!server) throw new Error('The server is up during tests alone');
      return server.url;
    },
  };
}

/** Keeps what tests open, and closes it after each of them, in the order in which it was opened. */
export function closingAfterEach<T extends { close(): Promise<unknown> }>(): (opened: T) => T {
  const open: T[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });
  return (opened) => {
    open.push(opened);
    return opened;
  };
}
