import { NotJsonError } from '../../src/protocol/to-json-value.js';
import type { LedgerEntry } from '../../src/replay/ledger.js';
import { deferred, turns } from '../../../../test/support/flow.js';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';
import { answered, asked, errorOf, execute, executePipeline, recorded, runPass, stateOf, valueOf, type Context } from './support.js';

failOnUnhandledRejections();

/** A recorder whose writes are finished by the test. */
function heldRecorder() {
  const written = deferred();
  const begun: LedgerEntry[] = [];
  const record = (entry: LedgerEntry): Promise<void> => {
    begun.push(entry);
    return written.promise;
  };
  return { written, begun, recorder: { record } };
}

describe('a step', () => {
  it('runs once over all executions, and a replay returns what was recorded', async () => {
    let runs = 0;
    const body = async ({ ask, step }: Context) => [await step('charge', () => ({ run: (runs += 1) })), await ask('ok')];
    const first = await execute(body);
    expect(asked(first)).toEqual(['ok']);
    expect(valueOf(await execute(body, { ledger: answered(first, { ok: true }) }))).toEqual([{ run: 1 }, true]);
    expect(runs).toBe(1);
  });

  it('does not resolve before its record is durable', async () => {
    const { written, begun, recorder } = heldRecorder();
    const log: string[] = [];
    const running = execute(
      async ({ step }) => {
        const value = await step('s', () => 7);
        log.push('went on');
        return value;
      },
      { carrier: { recorder } },
    );
    await turns(5);
    expect(begun).toEqual([{ key: 's', kind: 'step', fingerprint: '', answered: true, response: 7 }]);
    expect(log).toEqual([]);
    written.resolve();
    expect(valueOf(await running)).toBe(7);
    expect(log).toEqual(['went on']);
  });

  it('whose record fails fails the execution, whatever the body makes of it', async () => {
    const down = new Error('store down');
    const outcome = await execute(({ step }) => step('s', () => 1).catch(() => 'fallback'), {
      carrier: { recorder: { record: () => Promise.reject(down) } },
    });
    expect(errorOf(outcome)).toBe(down);
    expect(outcome.ledger).toEqual([]);
  });

  it('that throws records nothing and runs again in the next execution', async () => {
    let runs = 0;
    const body = async ({ ask, step }: Context) => {
      const result = await step('flaky', () => {
        runs += 1;
        if (runs === 1) throw new Error('flaky');
        return runs;
      }).catch(() => 'failed');
      return [result, await ask('ok')];
    };
    const first = await execute(body);
    expect(first.ledger.map(({ key }) => key)).toEqual(['ok']);
    expect(valueOf(await execute(body, { ledger: answered(first, { ok: 1 }) }))).toEqual([2, 1]);
  });

  it('that throws gives its error to the body, and ends nothing when nobody awaits it', async () => {
    const own = new Error('own');
    expect(errorOf(await execute(({ step }) => step('s', () => Promise.reject(own))))).toBe(own);
    const floating = execute(async ({ step }) => {
      void step('s', () => Promise.reject(own));
      return 'done';
    });
    expect(valueOf(await floating)).toBe('done');
  });

  it.each([
    ['a Date', new Date(0)],
    ['NaN', Number.NaN],
    ['a BigInt', 1n],
    ['a Map', new Map()],
    ['undefined in a list', [undefined]],
  ])('whose result JSON cannot hold is refused, naming the step, and records nothing: %s', async (_, value) => {
    const outcome = await execute(({ step }) => step('row', () => value));
    expect(errorOf(outcome)).toBeInstanceOf(NotJsonError);
    expect(errorOf(outcome).message).toContain('step "row"');
    expect(outcome.ledger).toEqual([]);
  });

  it.each([[undefined], [null], [0], [''], [false], [[]]])('is recorded although its result is %j', async (value) => {
    let runs = 0;
    const body = async ({ ask, step }: Context) => {
      const result = await step('s', () => {
        runs += 1;
        return value;
      });
      await ask('ok');
      return result;
    };
    const second = await execute(body, { ledger: answered(await execute(body), { ok: 1 }) });
    expect(valueOf(second)).toEqual(value);
    expect(runs).toBe(1);
  });

  it('hands out the same the first time and every other time', async () => {
    const body = async ({ ask, step }: Context) => {
      const result = await step('s', () => ({ kept: 1, gone: undefined }));
      await ask('ok').catch((error: unknown) => {
        first = result;
        throw error;
      });
      return result;
    };
    let first: unknown;
    const second = await execute(body, { ledger: answered(await execute(body), { ok: 1 }) });
    expect(Object.keys(first as object)).toEqual(['kept']);
    expect(valueOf(second)).toEqual(first);
  });
});

describe('in a later pass of one execution', () => {
  it('a recorded step is not run again', async () => {
    let runs = 0;
    const outcome = await executePipeline((execution) => {
      const body = async ({ step }: Context) => {
        const charged = await step('charge', () => (runs += 1));
        if (fails-- > 0) throw new Error('flaky');
        return charged;
      };
      let fails = 2;
      const pass = () => runPass(execution, body);
      return pass().catch(pass).catch(pass);
    });
    expect([valueOf(outcome), runs]).toEqual([1, 1]);
  });

  it('a step that is still running is joined, not run again', async () => {
    const work = deferred<string>();
    let runs = 0;
    const running = executePipeline(async (execution) => {
      const body = ({ step }: Context) =>
        step('slow', () => {
          runs += 1;
          return work.promise;
        });
      const passes = [runPass(execution, body), runPass(execution, body)];
      await turns(2);
      work.resolve('once');
      return Promise.all(passes);
    });
    expect(valueOf(await running)).toEqual(['once', 'once']);
    expect(runs).toBe(1);
  });

  it('a step that failed may run again', async () => {
    let runs = 0;
    const outcome = await executePipeline((execution) => {
      const pass = () =>
        runPass(execution, ({ step }) =>
          step('flaky', () => {
            runs += 1;
            if (runs === 1) throw new Error('flaky');
            return runs;
          }),
        );
      return pass().catch(pass);
    });
    expect(valueOf(outcome)).toBe(2);
  });
});

describe('inside of a step function', () => {
  const inside: [string, (context: Context) => unknown][] = [
    ['a question', ({ ask }) => ask('inner')],
    ['a step', ({ step }) => step('inner', () => 1)],
    ['becoming a task', ({ pass }) => pass.becomeTask()],
    [
      'a question from a callback that was made there',
      ({ ask }) => new Promise((resolve) => setImmediate(resolve)).then(() => ask('inner')),
    ],
  ];

  it.each(inside)('%s is refused at once', async (_, call) => {
    const outcome = await execute((context) => context.step('outer', () => call(context)));
    expect(errorOf(outcome).message).toMatch(/^A step function .* outside of the step/);
    expect(outcome.ledger).toEqual([]);
  });

  it('a refusal leaves the execution as it was: what follows the step may ask', async () => {
    const outcome = await execute(async ({ ask, step }) => {
      await step('outer', () => ask('inner')).catch(() => undefined);
      return ask('outside');
    });
    expect(asked(outcome)).toEqual(['outside']);
  });

  it('what it left behind may ask once it has ended', async () => {
    const ended = deferred();
    const outcome = await execute(async ({ ask, step }) => {
      let left!: Promise<unknown>;
      await step('outer', () => {
        left = ended.promise.then(() => ask('afterwards'));
      });
      ended.resolve();
      return left;
    });
    expect(asked(outcome)).toEqual(['afterwards']);
  });

  it('another execution may be asked', async () => {
    const inner = await execute(async ({ step }) => step('outer', async () => asked(await execute(({ ask }) => ask('theirs')))));
    expect(valueOf(inner)).toEqual(['theirs']);
  });
});

describe('a step in flight when a question comes up', () => {
  it('is recorded before the execution settles, and runs once over two executions', async () => {
    const work = deferred<number>();
    let runs = 0;
    const body = ({ ask, step }: Context) =>
      Promise.all([
        step('s', () => {
          runs += 1;
          return work.promise;
        }),
        ask('a'),
      ]);
    const first = execute(body);
    await turns(5);
    expect(await stateOf(first)).toBe('pending');
    work.resolve(5);
    const outcome = await first;
    expect(asked(outcome)).toEqual(['a']);
    expect(outcome.ledger.find(({ key }) => key === 's')?.response).toBe(5);
    expect(valueOf(await execute(body, { ledger: answered(outcome, { a: 'A' }) }))).toEqual([5, 'A']);
    expect(runs).toBe(1);
  });

  it('keeps the execution from settling until its record is durable, though the body has long returned', async () => {
    const { written, recorder } = heldRecorder();
    const aborted: unknown[] = [];
    const running = execute(
      async ({ ask, step, signal }) => {
        signal.addEventListener('abort', () => aborted.push(signal.reason));
        void step('s', () => 1);
        void ask('a');
        return 'returned at once';
      },
      { carrier: { recorder } },
    );
    await turns(5);
    expect([await stateOf(running), aborted]).toEqual(['pending', []]);
    written.resolve();
    expect((await running).ledger.map(({ key }) => key).toSorted()).toEqual(['a', 's']);
    expect(aborted).toEqual(['suspended']);
  });

  it('that fails lets the execution settle all the same', async () => {
    const work = deferred<number>();
    const running = execute(({ ask, step }) => Promise.allSettled([step('s', () => work.promise), ask('a')]));
    await turns(2);
    work.reject(new Error('own'));
    expect(asked(await running)).toEqual(['a']);
  });

  it('is waited for when its pipeline has ended early', async () => {
    const work = deferred<number>();
    const running = executePipeline(async (execution) => {
      void runPass(execution, ({ ask, step }) => Promise.all([step('s', () => work.promise), ask('a')])).catch(() => undefined);
      throw new Error('timeout');
    });
    await turns(3);
    expect(await stateOf(running)).toBe('pending');
    work.resolve(1);
    const outcome = await running;
    expect([asked(outcome), outcome.ledger.length]).toEqual([['a'], 2]);
  });
});

describe('a recorded step', () => {
  it('is returned although something is pending already', async () => {
    const outcome = await execute(({ ask, step }) => Promise.allSettled([ask('a'), step('s', () => 2).then((value) => seen.push(value))]), {
      ledger: recorded({ s: 1 }),
    });
    expect([asked(outcome), seen]).toEqual([['a'], [1]]);
  });
  const seen: unknown[] = [];
});
