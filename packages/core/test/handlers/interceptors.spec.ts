import { McpArg, McpContext, McpTool, isInputRequired, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Catch, Injectable, UseInterceptors, type CallHandler, type NestInterceptor } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { catchError, concatMap, finalize, firstValueFrom, from, map, merge, of, retry, tap, timeout, toArray } from 'rxjs';
import { deferred, turns } from '../../../../test/support/flow.js';
import { ask, askAnonymously } from '../support/questions.js';
import { allAnswered, askedBy, run, valueOf } from '../support/tool-runner.js';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';

let body: (ctx: McpToolContext) => unknown;
let bodies = 0;
/** What interceptors and filters saw, in order. */
let seen: string[] = [];
let cache: unknown;
/** When `twice` subscribes for the second time. */
let again = deferred();
/** What the pipe of `twiceBehindPipe` waits for. */
let held = deferred();
const holding = { transform: (value: unknown) => held.promise.then(() => value) };

const orName = (next: CallHandler) => next.handle().pipe(catchError((error: Error) => of(error.name)));

type Intercept = (next: CallHandler) => ReturnType<CallHandler['handle']> | Promise<ReturnType<CallHandler['handle']>>;
const interceptor = (intercept: Intercept): NestInterceptor => ({ intercept: (_context, next) => intercept(next) });

const cached = interceptor((next) => (cache === undefined ? next.handle().pipe(tap((value) => (cache = value))) : of(cache)));
const fallback = interceptor((next) => next.handle().pipe(catchError(() => of('fallback'))));
const carefulFallback = interceptor((next) =>
  next.handle().pipe(
    catchError((error: unknown) => {
      if (isInputRequired(error)) throw error;
      return of('fallback');
    }),
  ),
);
const transaction = interceptor((next) => {
  seen.push('begin');
  return next.handle().pipe(
    concatMap(async (value) => (seen.push('commit'), value)),
    catchError((error: unknown) => {
      seen.push('rollback');
      throw error;
    }),
    finalize(() => seen.push('release')),
  );
});
const promised = interceptor(async (next) => {
  try {
    return of(await firstValueFrom(next.handle()));
  } catch (error) {
    seen.push(isInputRequired(error) ? 'signal' : 'error');
    throw error;
  }
});
const mapped = interceptor((next) => next.handle().pipe(map((value) => ({ wrapped: value }))));
const logged = interceptor((next) => next.handle().pipe(tap({ next: () => seen.push('after'), error: () => seen.push('failed') })));

@Injectable()
class Tools {
  @McpTool({ description: 'Nothing around it' }) plain(@McpContext() ctx: McpToolContext): unknown {
    return this.enter(ctx);
  }

  @McpTool({ description: 'retry(3)' })
  @UseInterceptors(interceptor((next) => next.handle().pipe(retry(3))))
  retried(@McpContext() ctx: McpToolContext): unknown {
    return this.enter(ctx);
  }

  @McpTool({ description: 'retry()' })
  @UseInterceptors(interceptor((next) => next.handle().pipe(retry())))
  retriedForEver(@McpContext() ctx: McpToolContext): unknown {
    return this.enter(ctx);
  }

  @McpTool({ description: 'retry with a delay' })
  @UseInterceptors(interceptor((next) => next.handle().pipe(retry({ count: 200, delay: 5 }))))
  retriedSlowly(@McpContext() ctx: McpToolContext): unknown {
    return this.enter(ctx);
  }

  @McpTool({ description: 'catchError' })
  @UseInterceptors(fallback)
  fallback(@McpContext() ctx: McpToolContext): unknown {
    return this.enter(ctx);
  }

  @McpTool({ description: 'a cache around catchError that rethrows' })
  @UseInterceptors(cached, carefulFallback)
  cached(@McpContext() ctx: McpToolContext): unknown {
    return this.enter(ctx);
  }

  @McpTool({ description: 'a transaction' })
  @UseInterceptors(transaction)
  transactional(@McpContext() ctx: McpToolContext): unknown {
    return this.enter(ctx);
  }

  @McpTool({ description: 'firstValueFrom' })
  @UseInterceptors(promised)
  promised(@McpContext() ctx: McpToolContext): unknown {
    return this.enter(ctx);
  }

  @McpTool({ description: 'map, timeout and log' })
  @UseInterceptors(logged, mapped, interceptor((next) => next.handle().pipe(timeout(1000))))
  ordinary(@McpContext() ctx: McpToolContext): unknown {
    return this.enter(ctx);
  }

  @McpTool({ description: 'a second subscription' })
  @UseInterceptors(interceptor((next) => merge(orName(next), from(again.promise).pipe(concatMap(() => orName(next)))).pipe(toArray())))
  twice(@McpContext() ctx: McpToolContext): unknown {
    return this.enter(ctx);
  }

  @McpTool({ description: 'a second subscription' })
  @UseInterceptors(interceptor((next) => merge(orName(next), from(again.promise).pipe(concatMap(() => orName(next)))).pipe(toArray())))
  twiceBehindPipe(@McpContext() ctx: McpToolContext, @McpArg('x', { default: 1, pipes: [holding] }) _x: number): unknown {
    return this.enter(ctx);
  }

  private enter(ctx: McpToolContext): unknown {
    bodies += 1;
    return body(ctx);
  }
}

@Catch()
class CatchAll {
  catch(): unknown {
    seen.push('filter');
    return 'filtered';
  }
}

let testing: McpTestingApp;

beforeAll(async () => {
  testing = await createMcpTestingApp({ providers: [Tools, { provide: APP_FILTER, useClass: CatchAll }] });
});
afterAll(() => testing.close());
beforeEach(() => {
  bodies = 0;
  seen = [];
  cache = undefined;
});
failOnUnhandledRejections();

const asksOnce = async (ctx: McpToolContext): Promise<unknown> => (await ask(ctx, 'a')).action;

/** Suspends on one question, then ends. */
async function twoRounds(tool: string): Promise<{ value: unknown; bodiesPerRound: number[] }> {
  body = asksOnce;
  const outcome = await run(testing, tool);
  expect(askedBy(outcome)).toEqual(['a']);
  const before = bodies;
  const value = valueOf(await run(testing, tool, { ledger: allAnswered(outcome) }));
  return { value, bodiesPerRound: [before, bodies - before] };
}

describe('a body that suspends', () => {
  it.each([
    ['plain', 'accept'],
    ['retried', 'accept'],
    ['retriedForEver', 'accept'],
    ['retriedSlowly', 'accept'],
    ['fallback', 'accept'],
    ['cached', 'accept'],
    ['transactional', 'accept'],
    ['promised', 'accept'],
    ['ordinary', { wrapped: 'accept' }],
  ])('runs once under %s, whatever that makes of the suspension, and once again with the answer', async (tool, value) => {
    expect(await twoRounds(tool)).toEqual({ value, bodiesPerRound: [1, 1] });
  });

  it('is seen by no filter and leaves nothing in the log', async () => {
    const logsBefore = testing.logs.length;
    body = asksOnce;
    await run(testing, 'plain');
    await run(testing, 'fallback');
    expect(seen).toEqual([]);
    expect(testing.logs.slice(logsBefore)).toEqual([]);
  });

  it('leaves the event loop alive under a bare retry()', async () => {
    body = asksOnce;
    let alive = 0;
    const tick = setInterval(() => alive++, 1);
    const before = performance.now();
    await run(testing, 'retriedForEver');
    clearInterval(tick);
    expect(performance.now() - before).toBeLessThan(500);
    await turns();
  });

  it('rolls a transaction back, and commits it in the round that ends', async () => {
    body = asksOnce;
    const outcome = await run(testing, 'transactional');
    expect(seen).toEqual(['begin', 'rollback', 'release']);
    seen = [];
    await run(testing, 'transactional', { ledger: allAnswered(outcome) });
    expect(seen).toEqual(['begin', 'commit', 'release']);
  });

  it('fails outward though the body swallows the signal, so that nothing is committed or cached', async () => {
    body = (ctx) => ask(ctx, 'a').catch(() => 'swallowed');
    expect(askedBy(await run(testing, 'transactional'))).toEqual(['a']);
    expect(seen).toEqual(['begin', 'rollback', 'release']);
    await run(testing, 'cached');
    expect(cache).toBeUndefined();
  });

  it('fails outward only when the steps in flight have ended, though the body is done', async () => {
    const step = deferred();
    body = (ctx) => {
      void ctx.step('s', () => step.promise.then(() => seen.push('step')));
      void ask(ctx, 'a');
      return 'done';
    };
    const outcome = run(testing, 'transactional');
    await turns();
    step.resolve();
    expect(askedBy(await outcome)).toEqual(['a']);
    expect(seen).toEqual(['begin', 'step', 'rollback', 'release']);
  });

  it('fails outward with a signal that interceptors can tell from an error', async () => {
    body = asksOnce;
    await run(testing, 'promised');
    expect(seen).toEqual(['signal']);
  });

  it('caches nothing where the author rethrows the signal, and a hit runs no body', async () => {
    body = asksOnce;
    const outcome = await run(testing, 'cached');
    expect(cache).toBeUndefined();
    await run(testing, 'cached', { ledger: allAnswered(outcome) });
    bodies = 0;
    expect(valueOf(await run(testing, 'cached'))).toBe('accept');
    expect(bodies).toBe(0);
  });

  it('does not reach what stands behind next()', async () => {
    body = asksOnce;
    await run(testing, 'ordinary');
    expect(seen).toEqual(['failed']);
  });
});

describe('a retry after a real error', () => {
  it('runs the body again, while a step that is recorded is not run again and questions keep their numbers', async () => {
    let charges = 0;
    const attempts: unknown[] = [];
    body = async (ctx) => {
      const charge = await ctx.step('charge', () => ++charges);
      const answer = await askAnonymously(ctx, 'sure?');
      attempts.push([charge, answer.action]);
      if (attempts.length < 3) throw new Error('flaky');
      return 'done';
    };
    const outcome = await run(testing, 'retried');
    expect(askedBy(outcome)).toEqual(['elicit-1']);
    bodies = 0;
    expect(valueOf(await run(testing, 'retried', { ledger: allAnswered(outcome) }))).toBe('done');
    expect(bodies).toBe(3);
    expect(charges).toBe(1);
    expect(attempts).toEqual([
      [1, 'accept'],
      [1, 'accept'],
      [1, 'accept'],
    ]);
  });

  it('joins a step that is still running', async () => {
    const step = deferred<string>();
    let ran = 0;
    body = (ctx) => {
      const running = ctx.step('s', () => {
        ran += 1;
        return step.promise;
      });
      if (bodies === 1) throw new Error('flaky');
      step.resolve('once');
      return running;
    };
    expect(valueOf(await run(testing, 'retried'))).toBe('once');
    expect([bodies, ran]).toEqual([2, 1]);
  });

  it('runs a step again that failed', async () => {
    let ran = 0;
    body = (ctx) =>
      ctx.step('s', () => {
        ran += 1;
        if (ran === 1) throw new Error('flaky');
        return ran;
      });
    expect(valueOf(await run(testing, 'retried'))).toBe(2);
  });

  it('ends the context of the former pass, and progress starts anew', async () => {
    const contexts: McpToolContext[] = [];
    const updates: { progress: number }[] = [];
    const refused: unknown[] = [];
    body = async (ctx) => {
      contexts.push(ctx);
      ctx.progress(1);
      if (bodies === 1) throw new Error('flaky');
      contexts[0]!.progress(2);
      await contexts[0]!.step('late', () => 1).catch((error: Error) => refused.push(error.name));
      return 'done';
    };
    expect(valueOf(await run(testing, 'retried', { updates }))).toBe('done');
    expect(refused).toEqual(['ExecutionOverError']);
    expect(updates).toEqual([{ progress: 1 }, { progress: 1 }]);
  });
});

describe('an interceptor that subscribes again while a pass is under way', () => {
  it('takes the context from the body of the former pass', async () => {
    const ran: string[] = [];
    again = deferred();
    const second = deferred();
    body = async (ctx) => {
      const mine = `body ${bodies}`;
      if (bodies === 1) again.resolve();
      else second.resolve();
      await second.promise;
      return ctx.step('s', () => ran.push(mine));
    };
    expect(valueOf(await run(testing, 'twice'))).toEqual(['ExecutionOverError', 1]);
    expect(ran).toEqual(['body 2']);
  });

  it('keeps the former pass from entering the body at all, if it still waits for a pipe', async () => {
    again = deferred();
    again.resolve();
    held = deferred();
    body = () => 'done';
    const outcome = run(testing, 'twiceBehindPipe');
    await turns();
    expect(bodies).toBe(0);
    held.resolve();
    expect(valueOf(await outcome)).toEqual(expect.arrayContaining(['ExecutionOverError', 'done']));
    expect(bodies).toBe(1);
  });

  it('finds the body of the former pass at its end, if that waits for nothing', async () => {
    again = deferred();
    again.resolve();
    body = () => 'done';
    expect(valueOf(await run(testing, 'twice'))).toEqual(['done', 'done']);
    expect(bodies).toBe(2);
  });
});

describe('an interceptor that answers without next', () => {
  it('gives an ordinary result, and the body is not entered', async () => {
    cache = 'from the cache';
    expect(valueOf(await run(testing, 'cached'))).toBe('from the cache');
    expect(bodies).toBe(0);
  });
});
