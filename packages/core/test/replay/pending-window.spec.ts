import { jest } from '@jest/globals';
import { InputRequiredSignal, isInputRequired } from '../../src/replay/unwinding.js';
import { PendingWindow } from '../../src/replay/pending-window.js';
import { deferred, turns } from '../../../../test/support/flow.js';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';
import { answered, asked, execute, executePipeline, runPass, stateOf, valueOf } from './support.js';

failOnUnhandledRejections();

describe('questions reached before the window closes', () => {
  it('are asked together: Promise.all', async () => {
    expect(asked(await execute(({ ask }) => Promise.all([ask('a'), ask('b')])))).toEqual(['a', 'b']);
  });

  it.each(['any', 'race', 'allSettled'] as const)('are asked together: Promise.%s', async (combinator) => {
    const outcome = await execute(({ ask }) =>
      (Promise[combinator] as (asks: Promise<unknown>[]) => Promise<unknown>)([ask('a'), ask('b')]),
    );
    expect(asked(outcome)).toEqual(['a', 'b']);
  });

  it('are asked together although they are awaited one after the other', async () => {
    const outcome = await execute(async ({ ask }) => {
      const a = ask('a');
      const b = ask('b');
      return [await a, await b];
    });
    expect(asked(outcome)).toEqual(['a', 'b']);
  });

  it('join from a branch that is some microtasks behind', async () => {
    const outcome = await execute(({ ask }) => {
      const behind = async () => {
        for (let tick = 0; tick < 20; tick += 1) await Promise.resolve();
        return ask('b');
      };
      return Promise.all([ask('a'), behind()]);
    });
    expect(asked(outcome)).toEqual(['a', 'b']);
  });

  it('join from behind a step that was in flight', async () => {
    const step = deferred<number>();
    const running = execute(({ ask, step: run }) => Promise.all([run('s', () => step.promise).then(() => ask('b')), ask('a')]));
    await turns(3);
    step.resolve(1);
    expect(asked(await running)).toEqual(['a', 'b']);
  });

  it('are outstanding though their promises are let go of', async () => {
    const outcome = await execute(async ({ ask }) => {
      void ask('floating');
      void ask('chained').then(() => undefined);
      return 'value';
    });
    expect(asked(outcome)).toEqual(['floating', 'chained']);
  });

  it('stay outstanding when one of them is answered', async () => {
    const body = ({ ask }: { ask(key: string): Promise<unknown> }) => Promise.all([ask('a'), ask('b'), ask('c')]);
    const second = await execute(body, { ledger: answered(await execute(body), { b: 2 }) });
    expect(asked(second)).toEqual(['a', 'c']);
    expect(valueOf(await execute(body, { ledger: answered(second, { a: 1, c: 3 }) }))).toEqual([1, 2, 3]);
  });

  it('are left for the next round by a branch that was on other work', async () => {
    const work = deferred();
    const body = async ({ ask }: { ask(key: string): Promise<unknown> }) => {
      const slow = work.promise.then(() => ask('late'));
      const early = await ask('early');
      return [early, await slow];
    };
    const first = await execute(body);
    expect(asked(first)).toEqual(['early']);
    work.resolve();
    await turns(2);
    expect(asked(await execute(body, { ledger: answered(first, { early: 1 }) }))).toEqual(['late']);
  });
});

describe('after the window has closed', () => {
  it('no question and no step starts, and the outcome does not grow', async () => {
    const ran: string[] = [];
    const outcome = await execute(async ({ ask, step }) => {
      await Promise.allSettled([ask('a'), ask('b')]);
      const refused = await Promise.allSettled([ask('c'), step('s', () => ran.push('s'))]);
      ran.push(...refused.map((one) => (one.status === 'rejected' && isInputRequired(one.reason) ? 'refused' : 'started')));
    });
    expect(asked(outcome)).toEqual(['a', 'b']);
    expect(ran).toEqual(['refused', 'refused']);
    expect(outcome.ledger.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('answers and recorded steps can still be read, by a body that cleans up', async () => {
    const body = async ({ ask, step }: Parameters<Parameters<typeof execute>[0]>[0]) => {
      await ask('first');
      try {
        return await ask('second');
      } finally {
        seen.push(await step('lock', () => 'made anew'));
      }
    };
    const seen: unknown[] = [];
    const ledger = [
      ...answered(await execute(body), { first: 1 }),
      { key: 'lock', kind: 'step', fingerprint: '', answered: true, response: 'recorded' } as const,
    ];
    expect(asked(await execute(body, { ledger }))).toEqual(['second']);
    expect(seen).toEqual(['recorded']);
  });

  it('a body that swallows the signal and asks again for ever neither blocks the event loop nor the answer', async () => {
    const outcome = await execute(async ({ askNext }) => {
      for (;;) {
        try {
          return await askNext();
        } catch {}
      }
    });
    expect(asked(outcome)).toEqual(['elicit-1']);
  });

  it('a body that swallows the signal and asks at the same key for ever neither blocks the event loop nor the answer', async () => {
    const outcome = await execute(async ({ ask }) => {
      for (;;) {
        try {
          return await ask('name');
        } catch {}
      }
    });
    expect(asked(outcome)).toEqual(['name']);
  });
});

describe('once something is pending', () => {
  it('no step starts', async () => {
    let ran = false;
    const outcome = await execute(({ ask, step }) => Promise.all([ask('a'), step('s', () => (ran = true))]));
    expect([asked(outcome), ran]).toEqual([['a'], false]);
  });

  it('the outcome is to ask, whatever the body makes of the signal', async () => {
    const swallow = ({ ask }: { ask(key: string): Promise<unknown> }) => ask('a').catch(() => 'fallback');
    const replace = ({ ask }: { ask(key: string): Promise<unknown> }) => ask('a').catch(() => Promise.reject(new Error('own')));
    const ignore = ({ ask }: { ask(key: string): Promise<unknown> }) => Promise.race([ask('a'), Promise.resolve('first')]);
    for (const body of [swallow, replace, ignore]) expect(asked(await execute(body))).toEqual(['a']);
  });

  it('the body is unwound by a signal that isInputRequired knows, so that finally blocks run', async () => {
    const seen: unknown[] = [];
    await execute(async ({ ask }) => {
      try {
        await ask('a');
      } catch (error) {
        seen.push(isInputRequired(error));
        throw error;
      } finally {
        seen.push('finally');
      }
    });
    expect(seen).toEqual([true, 'finally']);
    expect([new Error('x'), undefined, null, {}, 'InputRequiredSignal'].some(isInputRequired)).toBe(false);
  });
});

describe('the waiting promises', () => {
  it('reject one at a time and only until the body settles', async () => {
    const waiting: Promise<unknown>[] = [];
    await execute(({ ask }) => {
      waiting.push(ask('a'), ask('b'), ask('c'));
      return waiting[0]!;
    });
    await turns(5);
    expect(await Promise.all(waiting.map(stateOf))).toEqual(['rejected', 'pending', 'pending']);
  });

  it('all reject when the body waits for all of them', async () => {
    const order: string[] = [];
    await execute(({ ask }) => Promise.allSettled(['a', 'b', 'c'].map((key) => ask(key).catch(() => order.push(key)))));
    expect(order).toEqual(['a', 'b', 'c']);
  });

  it('reject one at a time, with time for the body to settle between them', async () => {
    const log: string[] = [];
    const settled = deferred();
    const closed = deferred();
    const window = new PendingWindow({
      currentPass: { bodySettled: false, whenBodySettled: () => settled.promise },
      scope: {
        set drop(drop: ((reason: unknown) => void) | undefined) {
          log.push(drop === undefined ? 'ends' : 'begins');
          if (drop === undefined) closed.resolve();
        },
      },
      followed: { abort: () => log.push('closed') },
      start: {},
    });
    for (const key of ['a', 'b']) window.park().catch(() => log.push(key));
    await turns(6);
    expect(log).toEqual(['begins', 'a']);
    settled.resolve();
    await closed.promise;
    expect(log).toEqual(['begins', 'a', 'b', 'closed', 'ends']);
  });

  it('never raise an unhandled rejection in a branch that cleanup of several turns keeps the body from awaiting', async () => {
    const branch = async (asking: Promise<unknown>) => {
      await asking;
    };
    const outcome = await execute(async ({ ask }) => {
      const first = branch(ask('a'));
      const second = branch(ask('b'));
      try {
        await first;
      } finally {
        await turns(3);
      }
      await second;
    });
    expect(asked(outcome)).toEqual(['a', 'b']);
  });

  it('never raise an unhandled rejection when they were let go of, though the body goes on', async () => {
    const outcome = await execute(async ({ ask }) => {
      void ask('a');
      void ask('b');
      await turns(6);
    });
    expect(asked(outcome)).toEqual(['a', 'b']);
  });

  it('never raise an unhandled rejection in branches that nobody awaits any more', async () => {
    const branch = async (asking: Promise<unknown>) => {
      await asking;
    };
    const outcome = await execute(async ({ ask }) => {
      const a = branch(ask('a'));
      const b = branch(ask('b'));
      await a;
      await b;
    });
    expect(asked(outcome)).toEqual(['a', 'b']);
  });
});

describe('the window', () => {
  it('closes although the timers of the process are faked', async () => {
    jest.useFakeTimers();
    try {
      const outcome = await execute(async ({ ask, step }) => [await step('s', () => 1), await Promise.all([ask('a'), ask('b')])]);
      expect(asked(outcome)).toEqual(['a', 'b']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('stays open as long as a step is in flight', async () => {
    const step = deferred<number>();
    const window = new PendingWindow({
      currentPass: { bodySettled: false, whenBodySettled: () => Promise.resolve() },
      steps: { idle: () => (done ? undefined : step.promise.then(() => undefined)) },
      scope: {},
      followed: { abort: () => {} },
      start: {},
    });
    let done = false;
    const parked = window.park();
    await turns(5);
    expect([window.closed, await stateOf(parked)]).toEqual([false, 'pending']);
    done = true;
    step.resolve(1);
    await expect(parked).rejects.toBeInstanceOf(InputRequiredSignal);
    expect(window.closed).toBe(true);
  });

  it('of a pipeline that ended early is closed with it: leftover branches are told no more than once', async () => {
    const left: Promise<unknown>[] = [];
    const outcome = await executePipeline(async (execution) => {
      void runPass(execution, async ({ ask }) => {
        left.push(ask('a'));
        await left[0];
      }).catch(() => undefined);
      return 'timed out';
    });
    expect(asked(outcome)).toEqual(['a']);
    expect(await stateOf(left[0]!)).toBe('rejected');
  });
});
