import { jest } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { ExecutionOverError, McpContext, McpError, McpTool, type McpToolContext } from '@mocapi/core';
import type { CallOutcome } from '@mocapi/core/extension';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable, UseInterceptors } from '@nestjs/common';
import { timeout } from 'rxjs';
import { deferred, turns } from '../../../../test/support/flow.js';
import { ask, askAnonymously } from '../support/questions.js';
import { allAnswered, askedBy, ledgerOf, run, runToEnd, valueOf } from '../support/tool-runner.js';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';

type Body = (ctx: McpToolContext) => unknown;

/** What the tool under test does; each test sets it. */
let body: Body;

@Injectable()
class Tools {
  @McpTool({ description: 'Does what the test says' })
  tool(@McpContext() ctx: McpToolContext): unknown {
    return body(ctx);
  }

  @McpTool({ description: 'The same, within 20 ms' })
  @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(timeout(20)) })
  quickTool(@McpContext() ctx: McpToolContext): unknown {
    return body(ctx);
  }
}

let testing: McpTestingApp;

beforeAll(async () => {
  testing = await createMcpTestingApp({ providers: [Tools] });
});

afterAll(() => testing.close());

failOnUnhandledRejections();

/** Runs `tool` from nothing. */
const first = (toRun: Body): Promise<CallOutcome> => {
  body = toRun;
  return run(testing, 'tool');
};
const next = (outcome: CallOutcome): Promise<CallOutcome> => run(testing, 'tool', { ledger: allAnswered(outcome) });

describe('questions that are asked together are one outcome', () => {
  it.each<[string, Body]>([
    ['Promise.all', (ctx) => Promise.all([ask(ctx, 'a'), ask(ctx, 'b')])],
    ['Promise.allSettled', (ctx) => Promise.allSettled([ask(ctx, 'a'), ask(ctx, 'b')])],
    ['Promise.any', (ctx) => Promise.any([ask(ctx, 'a'), ask(ctx, 'b')])],
    ['Promise.race, which waits for both answers', (ctx) => Promise.race([ask(ctx, 'a'), ask(ctx, 'b')])],
    [
      'two promises awaited one after the other',
      async (ctx) => {
        const a = ask(ctx, 'a');
        const b = ask(ctx, 'b');
        return [await a, await b];
      },
    ],
    [
      'a question after four microtasks',
      async (ctx) => {
        const late = async (): Promise<unknown> => {
          for (let tick = 0; tick < 4; tick++) await Promise.resolve();
          return ask(ctx, 'b');
        };
        return Promise.all([ask(ctx, 'a'), late()]);
      },
    ],
    [
      'for await over both',
      async (ctx) => {
        const answers: unknown[] = [];
        // eslint-disable-next-line typescript/await-thenable
        for await (const answer of [ask(ctx, 'a'), ask(ctx, 'b')]) answers.push(answer);
        return answers;
      },
    ],
    [
      'a question and a step that asks once it is done',
      async (ctx) => {
        const afterStep = ctx.step('s', () => turns(1)).then(() => ask(ctx, 'b'));
        return Promise.all([ask(ctx, 'a'), afterStep]);
      },
    ],
  ])('by %s', async (_how, both) => {
    const outcome = await first(both);
    expect(askedBy(outcome)).toEqual(['a', 'b']);
    expect((await next(outcome)).kind).toBe('completed');
  });

  it('holds for a third that is asked when both have failed to settle, which is refused and asked in the next round', async () => {
    const twoThenOne: Body = async (ctx) => {
      await Promise.allSettled([ask(ctx, 'a'), ask(ctx, 'b')]);
      return ask(ctx, 'c');
    };
    const outcome = await first(twoThenOne);
    expect(askedBy(outcome)).toEqual(['a', 'b']);
    expect(askedBy(await next(outcome))).toEqual(['c']);
  });
});

describe('a question that the body does not wait for', () => {
  it('suspends the execution though the body returned, and never rejects what hangs on it', async () => {
    const settled: string[] = [];
    const outcome = await first((ctx) => {
      void ask(ctx, 'a').finally(() => settled.push('a'));
      void ask(ctx, 'b');
      return 'done';
    });
    await turns();
    expect(settled).toEqual([]);
    expect(askedBy(outcome)).toEqual(['a', 'b']);
    expect(valueOf(await next(outcome))).toBe('done');
  });

  it('suspends it though the body goes on for a while', async () => {
    const io = deferred();
    const outcome = first(async (ctx) => {
      void ask(ctx, 'a');
      void ask(ctx, 'a2').then(() => undefined);
      await io.promise;
      return 'done';
    });
    await turns(10);
    io.resolve();
    expect(askedBy(await outcome)).toEqual(['a', 'a2']);
  });
});

describe('a branch on other I/O', () => {
  it('that is not awaited asks in the next round', async () => {
    const io = deferred();
    const outcomePromise = first((ctx) => {
      void io.promise.then(() => ask(ctx, 'b'));
      return ask(ctx, 'a');
    });
    const outcome = await outcomePromise;
    io.resolve();
    expect(askedBy(outcome)).toEqual(['a']);
    const second = await next(outcome);
    expect(askedBy(second)).toEqual(['b']);
  });

  it('leaves its late calls unsettled, and says so at debug', async () => {
    const io = deferred();
    const settled: string[] = [];
    const outcome = await first((ctx) => {
      void io.promise.then(async () => {
        await ask(ctx, 'late').finally(() => settled.push('late'));
      });
      void io.promise.then(() => ctx.step('late-step', () => settled.push('ran'))).finally(() => settled.push('step'));
      return ask(ctx, 'a');
    });
    expect(askedBy(outcome)).toEqual(['a']);
    io.resolve();
    await turns();
    expect(settled).toEqual([]);
    const debug = testing.logs.filter(({ level }) => level === 'debug').map(({ message }) => message);
    expect(debug).toEqual(expect.arrayContaining([expect.stringContaining('late'), expect.stringContaining('late-step')]));
  });

  it('wins a race against a question in vain: what was reached unanswered decides', async () => {
    const outcome = await first((ctx) => Promise.race([ask(ctx, 'a'), Promise.resolve('other')]));
    expect(askedBy(outcome)).toEqual(['a']);
  });
});

describe('a step in flight', () => {
  it('ends and is recorded before a suspended execution settles', async () => {
    const step = deferred<string>();
    const outcome = first((ctx) => Promise.all([ctx.step('s', () => step.promise), ask(ctx, 'a')]));
    let over = false;
    void outcome.then(() => (over = true));
    await turns();
    expect(over).toBe(false);
    step.resolve('recorded');
    expect(ledgerOf(await outcome)).toContainEqual(expect.objectContaining({ key: 's', answered: true, response: 'recorded' }));
  });

  it('holds the window open for a question asked meanwhile', async () => {
    const step = deferred();
    const other = deferred();
    const outcome = first((ctx) => {
      const inFlight = ctx.step('s', () => step.promise);
      return Promise.all([inFlight, ask(ctx, 'a'), other.promise.then(() => ask(ctx, 'b'))]);
    });
    await turns();
    other.resolve();
    await turns();
    step.resolve();
    expect(askedBy(await outcome)).toEqual(['a', 'b']);
  });

  it('is recorded though the body settled before it', async () => {
    const step = deferred<number>();
    const outcome = first((ctx) => {
      void ctx.step('s', () => step.promise);
      return ask(ctx, 'a');
    });
    await turns();
    step.resolve(1);
    expect(ledgerOf(await outcome)).toContainEqual(expect.objectContaining({ key: 's', response: 1 }));
  });
});

describe('once something is pending', () => {
  it('no step starts', async () => {
    let ran = 0;
    const both: Body = (ctx) => Promise.all([ask(ctx, 'a'), ctx.step('s', () => ++ran)]);
    const outcome = await first(both);
    expect(ran).toBe(0);
    expect(askedBy(outcome)).toEqual(['a']);
    await next(outcome);
    expect(ran).toBe(1);
  });

  it('a body that swallows the signal starts no step and cannot return a value of its own', async () => {
    let ran = 0;
    const outcome = await first(async (ctx) => {
      const answer = await ask(ctx, 'a').catch(() => 'swallowed');
      const step = await ctx.step('s', () => ++ran).catch(() => 'refused');
      return { answer, step };
    });
    expect(askedBy(outcome)).toEqual(['a']);
    expect(ran).toBe(0);
  });

  it('what the body throws instead is dropped', async () => {
    const outcome = await first(async (ctx) => {
      await ask(ctx, 'a').catch(() => {
        throw new McpError(1000, 'of my own');
      });
    });
    expect(askedBy(outcome)).toEqual(['a']);
  });
});

describe('unwinding', () => {
  it('runs finally blocks', async () => {
    const order: string[] = [];
    await first(async (ctx) => {
      try {
        await ask(ctx, 'a');
      } finally {
        order.push('finally');
      }
    });
    expect(order).toEqual(['finally']);
  });

  it('of parallel branches runs the first finally, and cleans the rest up by the signal with reason suspended', async () => {
    const cleaned: string[] = [];
    const branch = async (ctx: McpToolContext, key: string): Promise<unknown> => {
      ctx.signal.addEventListener('abort', () => cleaned.push(`${key}:${String(ctx.signal.reason)}`));
      try {
        return await ask(ctx, key);
      } finally {
        cleaned.push(`${key}:finally`);
      }
    };
    const outcome = await first((ctx) => Promise.all([branch(ctx, 'a'), branch(ctx, 'b')]));
    expect(askedBy(outcome)).toEqual(['a', 'b']);
    await turns();
    expect(cleaned).toEqual(['a:finally', 'a:suspended', 'b:suspended']);
  });

  it('does not depend on the timers of a test', async () => {
    jest.useFakeTimers();
    try {
      expect(askedBy(await first((ctx) => ask(ctx, 'a')))).toEqual(['a']);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('what this execution reached unanswered is the truth', () => {
  it('a question left open before and not reached now is dropped', async () => {
    let flag = true;
    const byFlag: Body = async (ctx) => (flag ? ask(ctx, 'a') : ask(ctx, 'b'));
    const outcome = await first(byFlag);
    expect(askedBy(outcome)).toEqual(['a']);
    flag = false;
    const second = await run(testing, 'tool', { ledger: ledgerOf(outcome) });
    expect(askedBy(second)).toEqual(['b']);
  });

  it('a body that takes another path ends though the question it left is still open', async () => {
    const outcome = await first((ctx) => ask(ctx, 'a'));
    body = () => 'without asking';
    expect(valueOf(await run(testing, 'tool', { ledger: ledgerOf(outcome) }))).toBe('without asking');
  });

  it('a key that asks something else than before is -32602, whatever the body makes of it', async () => {
    const outcome = await first((ctx) => ask(ctx, 'a'));
    body = (ctx) => ctx.step('a', () => 1).catch(() => 'swallowed');
    const second = await run(testing, 'tool', { ledger: ledgerOf(outcome) });
    expect(second).toMatchObject({ kind: 'failed', error: { code: -32602 } });
  });

  it('a key reached twice in one run is an error of the author', async () => {
    const outcome = await first(async (ctx) => {
      await ctx.step('s', () => 1);
      return ctx.step('s', () => 2).catch((error: Error) => error.message);
    });
    expect(valueOf(outcome)).toMatch(/"s" was used twice/);
  });
});

describe('questions without a key', () => {
  it('are numbered in the order they are asked, and the numbers hold in every run', async () => {
    const twoInARow: Body = async (ctx) => {
      await ctx.step('s', () => 1);
      await askAnonymously(ctx, 'one');
      return askAnonymously(ctx, 'two');
    };
    const outcome = await first(twoInARow);
    expect(askedBy(outcome)).toEqual(['elicit-1']);
    const second = await next(outcome);
    expect(askedBy(second)).toEqual(['elicit-2']);
    expect((await runToEnd(testing, 'tool')).kind).toBe('completed');
  });
});

describe('inside a step function', () => {
  it.each<[string, (ctx: McpToolContext) => Promise<unknown>]>([
    ['a question', (ctx) => ask(ctx, 'a')],
    ['another step', (ctx) => ctx.step('inner', () => 1)],
    ['becoming a task', (ctx) => ctx.becomeTask()],
  ])('%s is refused at once, so that step and suspension never wait for each other', async (_what, inside) => {
    const outcome = await first((ctx) => ctx.step('outer', () => inside(ctx)).catch((error: Error) => error.message));
    expect(valueOf(outcome)).toMatch(/A step function .* outside of the step/);
  });

  it('the refusal does not hold for what runs beside the step', async () => {
    const step = deferred();
    const outcome = first((ctx) => Promise.all([ctx.step('s', () => step.promise), turns(1).then(() => ask(ctx, 'a'))]));
    await turns();
    step.resolve();
    expect(askedBy(await outcome)).toEqual(['a']);
  });
});

describe('an execution that is over', () => {
  it('refuses the calls of a body that still runs', async () => {
    const goOn = deferred();
    const late = deferred<unknown[]>();
    body = async (ctx) => {
      await goOn.promise;
      const attempts = [ctx.step('s', () => 1), ask(ctx, 'a'), ctx.becomeTask(), (async () => ctx.progress(1))()];
      late.resolve((await Promise.allSettled(attempts)).map((attempt) => (attempt as PromiseRejectedResult).reason));
    };
    const outcome = await run(testing, 'quickTool');
    expect(outcome).toMatchObject({ kind: 'completed', result: { isError: true } });
    goOn.resolve();
    for (const refusal of await late.promise) expect(refusal).toBeInstanceOf(ExecutionOverError);
  });

  it('aborts the signal of a body that still runs', async () => {
    const signals: AbortSignal[] = [];
    body = (ctx) => {
      signals.push(ctx.signal);
      return new Promise(() => undefined);
    };
    await run(testing, 'quickTool');
    expect(signals[0]).toMatchObject({ aborted: true, reason: 'ended' });
  });

  it('has recorded the step that was in flight when its pipeline ended and something was pending', async () => {
    const step = deferred<string>();
    body = (ctx) => {
      const inFlight = ctx.step('s', () => step.promise);
      return Promise.all([inFlight, ask(ctx, 'a')]);
    };
    const outcome = run(testing, 'quickTool');
    await delay(30);
    step.resolve('late');
    expect(ledgerOf(await outcome)).toContainEqual(expect.objectContaining({ key: 's', response: 'late' }));
  });
});
