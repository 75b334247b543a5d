import type { Admission, Admitted } from '../../src/replay/execution-carrier.js';
import { ExecutionOverError, isInputRequired } from '../../src/replay/unwinding.js';
import { Execution } from '../../src/replay/execution.js';
import { deferred, turns } from '../../../../test/support/flow.js';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';
import {
  asked,
  carrierOf,
  contextOf,
  errorOf,
  execute,
  executePipeline,
  question,
  runPass,
  same,
  startOf,
  stateOf,
  valueOf,
  type Context,
} from './support.js';

failOnUnhandledRejections();

/** An admission whose storing and whose place to run are given by the test. */
function heldAdmission(when: Admission['when'] = 'start') {
  const stored = deferred();
  const place = deferred();
  const task = new AbortController();
  const reports: number[] = [];
  const ledgers: unknown[] = [];
  const admit = async ({ ledger }: Parameters<Admission['admit']>[0]): Promise<Admitted> => {
    ledgers.push(ledger);
    await stored.promise;
    return {
      carrier: carrierOf({ signal: task.signal, progress: { report: ({ progress }) => reports.push(progress) } }),
      ready: place.promise,
    };
  };
  return { stored, place, task, reports, ledgers, admission: { when, admit } satisfies Admission };
}

describe('the signal of an execution', () => {
  it('aborts with the reason of its request', async () => {
    const request = new AbortController();
    const outcome = await execute(
      async ({ signal }) => {
        request.abort('gone');
        return [signal.aborted, signal.reason];
      },
      { carrier: { signal: request.signal } },
    );
    expect(valueOf(outcome)).toEqual([true, 'gone']);
  });

  it('is aborted from the start when its request was gone before', async () => {
    const outcome = await execute(async ({ signal }) => signal.reason as string, { carrier: { signal: AbortSignal.abort('gone before') } });
    expect(valueOf(outcome)).toBe('gone before');
  });

  it("fires with reason 'suspended' once the pending branches were told, so that parallel ones clean up", async () => {
    const log: unknown[] = [];
    await execute(async ({ ask, signal }) => {
      signal.addEventListener('abort', () => log.push(signal.reason));
      await Promise.allSettled([ask('a'), ask('b')].map((one) => one.catch(() => log.push('told'))));
      await turns(3);
    });
    expect(log).toEqual(['told', 'told', 'suspended']);
  });

  it("fires with reason 'ended' when the pipeline ends before its body, and not when the body was done", async () => {
    const reasons: unknown[] = [];
    const watch = ({ signal }: Context) => signal.addEventListener('abort', () => reasons.push(signal.reason));
    const work = deferred();
    await executePipeline(async (execution) => {
      void runPass(execution, async (context) => {
        watch(context);
        await work.promise;
      });
      return 'timed out';
    });
    expect(reasons).toEqual(['ended']);
    work.resolve();
    await execute(async (context) => watch(context));
    expect(reasons).toEqual(['ended']);
  });

  it('follows nothing once the execution is over, and leaves no listener behind', async () => {
    const request = new AbortController();
    let signal!: AbortSignal;
    await execute(async (context) => (signal = context.signal), { carrier: { signal: request.signal } });
    request.abort();
    expect(signal.aborted).toBe(false);
  });
});

describe('an admission', () => {
  it('is asked once, however often the execution is admitted', async () => {
    const { admission, stored, place, ledgers } = heldAdmission();
    stored.resolve();
    place.resolve();
    await execute(({ pass, execution }) => Promise.all([pass.admit(), execution.admit(), pass.becomeTask()]), { admission });
    expect(ledgers).toEqual([[]]);
  });

  it('lets nobody go on before it is durable and there is a place to run', async () => {
    const { admission, stored, place } = heldAdmission();
    const execution = new Execution(startOf({ admission }));
    const admitted = execution.beginPass().admit();
    expect([await stateOf(admitted), execution.admitted]).toEqual(['pending', false]);
    stored.resolve();
    expect([await stateOf(admitted), execution.admitted]).toEqual(['pending', true]);
    place.resolve();
    expect(await stateOf(admitted)).toBe('resolved');
  });

  it('that is not there lets the execution go on at once', async () => {
    const outcome = await execute(async ({ pass, execution }) => {
      await pass.becomeTask();
      return execution.admitted;
    });
    expect(valueOf(outcome)).toBe(false);
  });

  it('moves signal and progress from the request to the task: the request may go', async () => {
    const { admission, stored, place, task, reports } = heldAdmission();
    const request = new AbortController();
    const requestReports: number[] = [];
    const execution = new Execution(
      startOf({ admission, carrier: { signal: request.signal, progress: { report: ({ progress }) => requestReports.push(progress) } } }),
    );
    const pass = execution.beginPass();
    pass.progress({ progress: 1 });
    stored.resolve();
    place.resolve();
    await pass.admit();
    pass.progress({ progress: 2 });
    request.abort('gone');
    expect(execution.signal.aborted).toBe(false);
    task.abort('cancelled');
    expect(execution.signal.reason).toBe('cancelled');
    expect([requestReports, reports]).toEqual([[1], [2]]);
  });

  it('hands over what is recorded so far', async () => {
    const { admission, stored, place, ledgers } = heldAdmission('manual');
    stored.resolve();
    place.resolve();
    await execute(
      async ({ step, pass }) => {
        await step('before', () => 1);
        await pass.becomeTask();
      },
      { admission },
    );
    expect(ledgers).toEqual([[{ key: 'before', kind: 'step', fingerprint: '', answered: true, response: 1 }]]);
  });

  it('that fails decides the outcome, whatever the body makes of it', async () => {
    const down = new Error('store down');
    let calls = 0;
    const admit = () => {
      calls += 1;
      return Promise.reject(down);
    };
    const outcome = await execute(
      async ({ pass }) => {
        await pass.becomeTask().catch(() => undefined);
        await pass.becomeTask().catch(() => undefined);
        return 'fallback';
      },
      { admission: { when: 'manual', admit } },
    );
    expect(errorOf(outcome)).toBe(down);
    expect(calls).toBe(1);
  });

  it('whose wait outlives the pass does not let the body start afterwards', async () => {
    const { admission, stored, place } = heldAdmission();
    const execution = new Execution(startOf({ admission }));
    const admitted = execution.beginPass().admit();
    stored.resolve();
    await turns(1);
    execution.end();
    place.resolve();
    await expect(admitted).rejects.toBeInstanceOf(ExecutionOverError);
  });

  it('of a cancelled task does not let the body start', async () => {
    const { admission, stored, place, task } = heldAdmission();
    const admitted = new Execution(startOf({ admission })).beginPass().admit();
    stored.resolve();
    await turns(1);
    task.abort('cancelled');
    place.resolve();
    await expect(admitted).rejects.toBeInstanceOf(ExecutionOverError);
  });

  it('is not asked once something is pending', async () => {
    const { admission, ledgers } = heldAdmission('manual');
    const outcome = await execute(({ ask, pass }) => Promise.all([ask('a'), pass.becomeTask()]), { admission });
    expect([asked(outcome), ledgers]).toEqual([['a'], []]);
  });
});

describe('an execution that is over', () => {
  const calls: [string, (context: Context) => unknown][] = [
    ['a question', ({ ask }) => ask('late')],
    ['a step', ({ step }) => step('late', () => 1)],
    ['becoming a task', ({ pass }) => pass.becomeTask()],
    ['progress', async ({ pass }) => pass.progress({ progress: 1 })],
  ];

  it.each(calls)('refuses %s with a clear error while its body goes on', async (_, call) => {
    const ended = deferred();
    let refused!: Promise<unknown>;
    await executePipeline(async (execution) => {
      refused = runPass(execution, async (context) => {
        await ended.promise;
        return call(context);
      });
      refused.catch(() => undefined);
      return 'timed out';
    });
    ended.resolve();
    const error = await refused.catch((caught: Error) => caught);
    expect(error).toBeInstanceOf(ExecutionOverError);
    expect((error as Error).message).toMatch(/execution is over/);
  });

  it.each(calls)('refuses %s of a pass that a retry has superseded', async (_, call) => {
    const execution = new Execution(startOf({}));
    const former = contextOf(execution, execution.beginPass());
    execution.beginPass();
    await expect(Promise.resolve().then(() => call(former))).rejects.toBeInstanceOf(ExecutionOverError);
  });

  it.each(calls.slice(0, 3))('refuses %s once its request is gone', async (_, call) => {
    const request = new AbortController();
    const outcome = await execute(
      async (context) => {
        request.abort();
        return call(context);
      },
      { carrier: { signal: request.signal } },
    );
    expect(errorOf(outcome)).toBeInstanceOf(ExecutionOverError);
  });

  it('begins no pass', () => {
    const execution = new Execution(startOf({}));
    execution.end();
    expect(() => execution.beginPass()).toThrow(ExecutionOverError);
  });

  it('parks a body that swallows the refusal for ever, so that the event loop goes on', async () => {
    const late: string[] = [];
    await executePipeline(
      async (execution) => {
        void runPass(execution, async ({ step }) => {
          await turns(1);
          for (;;) await step('poll', () => 1).catch(() => undefined);
        });
        return 'timed out';
      },
      { onLateCall: (what) => late.push(what) },
    );
    await turns(3);
    expect(late).toEqual([expect.stringContaining('execution is over')]);
  });

  it('fails a body that swallows its own mistake for ever', async () => {
    const outcome = await execute(async ({ step }) => {
      for (;;) await step('same', () => 1).catch(() => undefined);
    });
    expect(errorOf(outcome).message).toContain('"same" was used twice');
  });
});

describe('a call of a leftover branch, after its body has settled', () => {
  it.each([
    ['a question', 'asking', ({ ask }: Context) => ask('asking')],
    ['a question without a key', 'elicitation', ({ askNext }: Context) => askNext()],
    ['a step', 'stepping', ({ step }: Context) => step('stepping', () => 1)],
    ['becoming a task', 'becomeTask', ({ pass }: Context) => pass.becomeTask()],
  ])('is refused and reported when the execution has completed: %s', async (_, name, call) => {
    const late: string[] = [];
    let context!: Context;
    await execute(async (given) => (context = given), { onLateCall: (what) => late.push(what) });
    await expect(call(context)).rejects.toThrow(ExecutionOverError);
    expect(late).toEqual([name]);
  });

  it.each([
    ['a question', 'asking', ({ ask }: Context) => ask('asking')],
    ['a question without a key', 'elicitation', ({ askNext }: Context) => askNext()],
    ['a step', 'stepping', ({ step }: Context) => step('stepping', () => 1)],
    ['becoming a task', 'becomeTask', ({ pass }: Context) => pass.becomeTask()],
  ])('never settles and is reported when the execution was suspended: %s', async (_, name, call) => {
    const late: string[] = [];
    let context!: Context;
    await execute(
      async (given) => {
        context = given;
        await given.ask('first');
      },
      { onLateCall: (what) => late.push(what) },
    );
    const calls = [call(context) as Promise<unknown>, call(context) as Promise<unknown>];
    expect(await Promise.all(calls.map(stateOf))).toEqual(['pending', 'pending']);
    expect(late).toEqual([name, name]);
    // One promise for all would hold on to whatever ever awaited it.
    expect(calls[0]).not.toBe(calls[1]);
  });
});

describe('progress', () => {
  let reports: number[];
  let dropped: string[];
  beforeEach(() => {
    reports = [];
    dropped = [];
  });
  const execution = () =>
    new Execution({
      ...startOf({ carrier: { progress: { report: ({ progress }) => reports.push(progress) } } }),
      onDropped: (why) => dropped.push(why),
    });

  it('that does not rise is dropped, and said once', () => {
    const pass = execution().beginPass();
    for (const progress of [1, 1, 0.5, -1, 1.5]) pass.progress({ progress });
    expect([reports, dropped]).toEqual([[1, 1.5], ['progress must rise: 1 came after 1']]);
  });

  it('that says something new at the same value is kept', () => {
    const pass = execution().beginPass();
    for (const message of ['a', 'b', 'b']) pass.progress({ progress: 1, message });
    expect(reports).toEqual([1, 1]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '3' as never, undefined as never, null as never, 1n as never])(
    'that is no number JSON can hold is dropped: %p',
    (progress) => {
      execution().beginPass().progress({ progress });
      expect([reports, dropped]).toEqual([[], [expect.stringContaining('must be a finite number')]]);
    },
  );

  it('begins anew in each pass', () => {
    const one = execution();
    one.beginPass().progress({ progress: 9 });
    expect(() => one.beginPass().progress({ progress: 1 })).not.toThrow();
  });

  it('is reported with total and message as they are', async () => {
    const updates: unknown[] = [];
    await execute(async ({ pass }) => pass.progress({ progress: 1, total: 2, message: 'half' }), {
      carrier: { progress: { report: (update) => updates.push(update) } },
    });
    expect(updates).toEqual([{ progress: 1, total: 2, message: 'half' }]);
  });
});

describe('a pipeline', () => {
  it('that fails on its own fails the outcome, and what it returns is the value', async () => {
    const own = new Error('own');
    expect(errorOf(await execute(() => Promise.reject(own)))).toBe(own);
    expect(valueOf(await execute(async () => undefined))).toBeUndefined();
  });

  it('whose first fault was decided keeps that one', async () => {
    const execution = new Execution(startOf({}));
    execution.fail('first');
    execution.fail('second');
    expect(execution.fault).toEqual({ error: 'first' });
  });

  it('that never begins a pass but asks for nothing completes: an interceptor may answer by itself', async () => {
    expect(valueOf(await executePipeline(async () => 'cached'))).toBe('cached');
  });

  it('unwinds with a signal of the same brand across copies of the package', async () => {
    const foreign = Object.assign(new Error('other copy'), { [Symbol.for('@mocapi/core:InputRequiredSignal')]: true });
    expect(isInputRequired(foreign)).toBe(true);
  });

  it('keeps what it asked although a question is asked with no params at all', async () => {
    const outcome = await execute(({ pass }) => pass.ask({ ...question(), kind: 'roots', request: { method: 'roots/list' } }, same));
    expect(outcome.kind === 'inputRequired' && outcome.requests).toEqual({ 'roots-1': { method: 'roots/list' } });
  });
});
