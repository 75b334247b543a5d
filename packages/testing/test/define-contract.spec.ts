import { CollectingRunner, defineContract } from '@mocapi/testing';

describe('defineContract', () => {
  it('gives each case a fixture of its own and takes it down, whether or not the promise is kept', async () => {
    const log: string[] = [];
    let made = 0;
    const runner = new CollectingRunner();
    defineContract<number>(runner, {
      name: 'a thing',
      cases: [
        { promise: 'holds', check: async (fixture) => void log.push(`check ${fixture}`) },
        { promise: 'breaks', check: async () => Promise.reject(new Error('broken')) },
      ],
      fixture: { setUp: async () => (made += 1), tearDown: async (fixture) => void log.push(`down ${fixture}`) },
    });
    expect(await runner.run()).toEqual([{ promise: 'holds' }, { promise: 'breaks', error: new Error('broken') }]);
    expect(log).toEqual(['check 1', 'down 1', 'down 2']);
  });
});
