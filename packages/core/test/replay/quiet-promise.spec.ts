import { setTimeout as delay } from 'node:timers/promises';
import { QuietPromise } from '../../src/replay/quiet-promise.js';

describe('a quiet promise', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  beforeAll(() => process.on('unhandledRejection', note));
  afterAll(() => process.off('unhandledRejection', note));
  beforeEach(() => unhandled.splice(0));

  it('ends no process when nobody looks at its rejection', async () => {
    void QuietPromise.of(Promise.reject(new Error('unseen')));
    await delay(5);
    expect(unhandled).toEqual([]);
  });

  it('ends no process when nobody looks at what is chained to it', async () => {
    void QuietPromise.of(Promise.reject(new Error('unseen')))
      .then(() => 'never')
      .finally(() => undefined)
      .then(() => 'nor this');
    await delay(5);
    expect(unhandled).toEqual([]);
  });

  it('tells whoever awaits it', async () => {
    await expect(QuietPromise.of(Promise.reject(new Error('seen')))).rejects.toThrow('seen');
    await expect(QuietPromise.of(Promise.resolve(1)).then((one) => one + 1)).resolves.toBe(2);
  });
});
