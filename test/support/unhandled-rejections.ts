import vm from 'node:vm';
import { turns } from './flow.js';

/** Jest gives tests a copy of `process`, on which the events of the real one never fire. */
export const realProcess = vm.runInThisContext('process') as NodeJS.Process;

/** Fails a test after which the process saw a rejection that nobody handled: outside of tests it would have ended the server. */
export function failOnUnhandledRejections(): void {
  const seen: unknown[] = [];
  const listener = (reason: unknown): void => void seen.push(reason);
  beforeEach(() => {
    seen.length = 0;
    realProcess.on('unhandledRejection', listener);
  });
  afterEach(async () => {
    await turns(3);
    realProcess.off('unhandledRejection', listener);
    expect(seen).toEqual([]);
  });
}
