import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';
import { QuietPromise } from '../../src/replay/unwinding.js';

describe('a quiet promise', () => {
  failOnUnhandledRejections();

  it('ends no process when nobody looks at its rejection', () => {
    expect(QuietPromise.of(Promise.reject(new Error('unseen')))).toBeInstanceOf(Promise);
  });

  it('ends no process when nobody looks at what is chained to it', () => {
    const chained = QuietPromise.of(Promise.reject(new Error('unseen')))
      .then(() => 'never')
      .finally(() => undefined)
      .then(() => 'nor this');
    expect(chained).toBeInstanceOf(Promise);
  });

  it('tells whoever awaits it', async () => {
    await expect(QuietPromise.of(Promise.reject(new Error('seen')))).rejects.toThrow('seen');
    await expect(QuietPromise.of(Promise.resolve(1)).then((one) => one + 1)).resolves.toBe(2);
  });
});
