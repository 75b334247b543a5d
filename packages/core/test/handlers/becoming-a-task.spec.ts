import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import v8 from 'node:v8';
import vm from 'node:vm';
import { McpArg, McpArgs, McpContext, McpError, McpExecution, McpTool, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { BadRequestException, Injectable, Scope, UseInterceptors, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { catchError, of, retry, tap, timeout } from 'rxjs';
import { passScope } from '../../src/handlers/nest/boundary.interceptor.js';
import { deferred, turns, type Deferred } from '../../../../test/support/flow.js';
import { ask } from '../support/questions.js';
import { askedBy, run, valueOf } from '../support/tool-runner.js';
import { ToyTask } from '../support/toy-task.js';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';

let body: (ctx: McpToolContext, ...args: unknown[]) => unknown;
let bodies = 0;
/** What the pipe of a parameter does with its value, in turn; the rest pass at once. */
let pipes: ((value: unknown) => unknown)[] = [];
let onExecution: (execution: McpExecution, at: 'before' | 'after') => void = () => undefined;

const scriptedPipe: PipeTransform = { transform: (value: unknown) => (pipes.shift() ?? (() => value))(value) };
const refusing = (): never => {
  throw new BadRequestException('refused by a pipe');
};

function enter(ctx: McpToolContext, ...args: unknown[]): unknown {
  bodies += 1;
  return body(ctx, ...args);
}

const lost = new AsyncLocalStorage<string>();

@Injectable({ scope: Scope.REQUEST })
class ScopedTools {
  @McpTool({ description: 'On a host of its own' })
  scoped(@McpContext() ctx: McpToolContext, @McpArg('a', { default: 'a', pipes: [scriptedPipe] }) a: string): unknown {
    return enter(ctx, a);
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'Two parameters with pipes' })
  plain(
    @McpContext() ctx: McpToolContext,
    @McpArg('a', { default: 'a', pipes: [scriptedPipe] }) a: string,
    @McpArg('b', { default: 'b', pipes: [scriptedPipe] }) b: string,
  ): unknown {
    return enter(ctx, a, b);
  }

  @McpTool({ description: 'No parameters' }) bare(): string {
    bodies += 1;
    return 'bare';
  }

  @McpTool({ description: 'A large argument' }) large(
    @McpArgs({ schema: { type: 'object' } }) args: object,
    @McpContext() ctx: McpToolContext,
  ): unknown {
    return enter(ctx, args);
  }

  @McpTool({ description: 'Within 20 ms' })
  @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(timeout(20)) })
  quick(@McpContext() ctx: McpToolContext): unknown {
    return enter(ctx);
  }

  @McpTool({ description: 'Within 20 ms, else once more' })
  @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(timeout(20), retry(1)) })
  quickTwice(@McpContext() ctx: McpToolContext, @McpArg('a', { default: 'a', pipes: [scriptedPipe] }) a: string): unknown {
    return enter(ctx, a);
  }

  @McpTool({ description: 'retry(1)' })
  @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(retry(1)) })
  retried(
    @McpContext() ctx: McpToolContext,
    @McpArg('a', { default: 'a', pipes: [scriptedPipe] }) a: string,
    @McpArg('b', { default: 'b', pipes: [scriptedPipe] }) b: string,
  ): unknown {
    return enter(ctx, a, b);
  }

  @McpTool({ description: 'retry(3) in catchError' })
  @UseInterceptors({
    intercept: (_context, next) =>
      next.handle().pipe(
        retry(3),
        catchError(() => of('fallback')),
      ),
  })
  forgiving(@McpContext() ctx: McpToolContext): unknown {
    return enter(ctx);
  }

  @McpTool({ description: 'Never calls next' })
  @UseInterceptors({ intercept: () => of('from the interceptor') })
  answered(@McpContext() ctx: McpToolContext): unknown {
    return enter(ctx);
  }

  @McpTool({ description: 'An interceptor that looks at the execution' })
  @UseInterceptors({
    intercept: (context: ExecutionContext, next) => {
      const execution = McpExecution.of(context);
      onExecution(execution, 'before');
      return next.handle().pipe(tap(() => onExecution(execution, 'after')));
    },
  })
  observed(@McpContext() ctx: McpToolContext): unknown {
    return enter(ctx);
  }
}

let testing: McpTestingApp;

beforeAll(async () => {
  testing = await createMcpTestingApp({ providers: [Tools, ScopedTools] });
});
afterAll(() => testing.close());
beforeEach(() => {
  bodies = 0;
  pipes = [];
  body = () => 'done';
  onExecution = () => undefined;
});
failOnUnhandledRejections();

// A toy admission stands for the Tasks extension here. What an engine adds is its own to keep: the slot that an abandoned body gives back
// (rule 20) is tested with the executor, and an execution that another node takes over (rule 25: no request, the stored caller as its user)
// waits until there is a takeover.
describe('admission at the start', () => {
  it('comes after the arguments and before the body, once', async () => {
    const task = new ToyTask();
    const order: string[] = [];
    pipes = [(value) => (order.push(`pipe, admitted ${task.admitted}`), value)];
    body = () => order.push(`body, admitted ${task.admitted}`);
    await run(testing, 'plain', { admission: task });
    expect(order).toEqual(['pipe, admitted 0', 'body, admitted 1']);
  });

  it('is had by a method without parameters too', async () => {
    const task = new ToyTask();
    expect(valueOf(await run(testing, 'bare', { admission: task }))).toBe('bare');
    expect([task.admitted, bodies]).toEqual([1, 1]);
  });

  it('waits for every parameter', async () => {
    const task = new ToyTask();
    const slow = deferred<string>();
    pipes = [(value) => value, () => slow.promise];
    const outcome = run(testing, 'plain', { admission: task });
    await turns();
    expect([task.admitted, bodies]).toEqual([0, 0]);
    slow.resolve('b');
    await outcome;
    expect([task.admitted, bodies]).toEqual([1, 1]);
  });

  it('does not happen for arguments that a pipe refuses, or the schema', async () => {
    const task = new ToyTask();
    pipes = [refusing];
    expect(valueOf(await run(testing, 'plain', { admission: task }))).toBe('refused by a pipe');
    expect(await run(testing, 'plain', { admission: task, arguments: { a: 1 } })).toMatchObject({ result: { isError: true } });
    expect([task.admitted, bodies]).toEqual([0, 0]);
  });

  it('keeps many interleaved calls apart', async () => {
    const calls = Array.from({ length: 300 }, async (_, index) => {
      const task = new ToyTask();
      const isRefused = index % 3 === 0;
      const outcome = await run(testing, 'plain', { admission: task, arguments: { a: `${index}`, ...(isRefused ? { b: 1 } : {}) } });
      return { right: isRefused ? task.admitted === 0 : task.admitted === 1 && valueOf(outcome) === `${index}` };
    });
    body = async (_ctx, a) => {
      await turns(1);
      return a;
    };
    const right = (await Promise.all(calls)).filter((call) => call.right);
    expect(right).toHaveLength(300);
    expect(bodies).toBe(200);
  });

  it('happens once though an interceptor retries a refused argument', async () => {
    const task = new ToyTask();
    pipes = [refusing];
    expect(valueOf(await run(testing, 'retried', { admission: task }))).toBe('done');
    expect([task.admitted, bodies]).toEqual([1, 1]);
  });

  it('counts the parameters of each pass for itself, so that none is admitted unchecked', async () => {
    const task = new ToyTask();
    const firstPass: Deferred<string> = deferred();
    const secondPass: Deferred<string> = deferred();
    const secondBegun = deferred();
    pipes = [() => firstPass.promise, () => (secondBegun.resolve(), secondPass.promise)];
    const outcome = run(testing, 'quickTwice', { admission: task });
    await secondBegun.promise;
    firstPass.resolve('late');
    await turns();
    expect([task.admitted, bodies]).toEqual([0, 0]);
    secondPass.reject(new BadRequestException('refused after all'));
    expect(valueOf(await outcome)).toBe('refused after all');
    expect([task.admitted, bodies]).toEqual([0, 0]);
  });

  it('does not depend on the async context: a pipe may lose it', async () => {
    const task = new ToyTask();
    body = () => lost.getStore() ?? 'lost';
    pipes = [(value) => (lost.enterWith('entered anew'), value)];
    expect(await run(testing, 'plain', { admission: task })).toMatchObject({
      kind: 'completed',
      result: { content: [{ text: 'entered anew' }] },
    });
    expect([task.admitted, bodies]).toEqual([1, 1]);
    lost.enterWith(undefined as never);
  });

  it('is an error, and no body runs, where the async context was lost on the way to a host that is made for each call', async () => {
    const task = new ToyTask();
    pipes = [(value) => (passScope.enterWith({}), value)];
    expect(await run(testing, 'scoped', { admission: task })).toMatchObject({ result: { isError: true } });
    expect([task.admitted, bodies]).toEqual([0, 0]);
    passScope.enterWith(undefined as never);
  });
});

describe('a call that waits for a place to run', () => {
  it('does not start its body after a timeout that fired meanwhile', async () => {
    const ready = deferred();
    const task = new ToyTask('start', { ready: ready.promise });
    const outcome = await run(testing, 'quick', { admission: task });
    expect(outcome).toMatchObject({ kind: 'completed', result: { isError: true } });
    ready.resolve();
    await turns();
    expect([task.admitted, bodies]).toEqual([1, 0]);
  });

  it('does not start its body after it was cancelled', async () => {
    const ready = deferred();
    const task = new ToyTask('start', { ready: ready.promise });
    const outcome = run(testing, 'plain', { admission: task });
    await turns();
    task.cancel();
    ready.resolve();
    await outcome;
    expect(bodies).toBe(0);
  });

  it('runs in its own async context, whoever frees the place', async () => {
    const caller = new AsyncLocalStorage<string>();
    const places = [deferred(), deferred()];
    const seen: unknown[] = [];
    body = () => seen.push(caller.getStore());
    const [alice, bob] = ['alice', 'bob'].map((name, index) =>
      caller.run(name, () => run(testing, 'plain', { admission: new ToyTask('start', { ready: places[index]!.promise }) })),
    );
    await turns();
    caller.run('alice', () => places[1]!.resolve());
    await bob;
    caller.run('bob', () => places[0]!.resolve());
    await alice;
    expect(seen).toEqual(['bob', 'alice']);
  });
});

describe('a failed admission', () => {
  const storeDown = (): ToyTask => new ToyTask('start', { stored: () => Promise.reject(new Error('store down')) });

  it.each(['plain', 'forgiving'])('is -32603 under %s, whatever interceptors make of it, and is not tried twice', async (tool) => {
    const task = storeDown();
    const outcome = await run(testing, tool, { admission: task });
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: { code: -32603, message: 'Internal error', data: { errorId: expect.any(String) } },
    });
    expect([task.admitted, bodies]).toEqual([1, 0]);
  });

  it('keeps the code and data of an McpError', async () => {
    const full = new McpError(-32603, 'Too busy', { data: { retryAfterMs: 500 } });
    const task = new ToyTask('start', { stored: () => Promise.reject(full) });
    expect(await run(testing, 'forgiving', { admission: task })).toMatchObject({ kind: 'failed', error: full });
  });

  it('of ctx.becomeTask is decided too, though the body swallows it', async () => {
    const task = new ToyTask('manual', { stored: () => Promise.reject(new Error('store down')) });
    body = (ctx) => ctx.becomeTask().catch(() => 'swallowed');
    expect(await run(testing, 'plain', { admission: task })).toMatchObject({ kind: 'failed', error: { code: -32603 } });
  });
});

describe('an interceptor', () => {
  it('that answers without next gives an ordinary result and no task', async () => {
    const task = new ToyTask();
    expect(valueOf(await run(testing, 'answered', { admission: task }))).toBe('from the interceptor');
    expect([task.admitted, bodies]).toEqual([0, 0]);
  });

  it('spans the whole task, and is told before next that there may be one', async () => {
    const seen: unknown[] = [];
    const end = deferred();
    const task = new ToyTask();
    onExecution = ({ mode, mayBecomeTask, trigger }, at) => seen.push([at, mode, mayBecomeTask, trigger]);
    body = () => end.promise;
    const outcome = run(testing, 'observed', { admission: task });
    await turns();
    expect(task.admitted).toBe(1);
    expect(seen).toEqual([['before', 'sync', true, 'call']]);
    end.resolve();
    await outcome;
    expect(seen.at(-1)).toEqual(['after', 'task', true, 'call']);
  });

  it('sees no task where there can be none, and one from the beginning in a later attempt', async () => {
    const seen: unknown[] = [];
    onExecution = ({ mode, mayBecomeTask, trigger }) => seen.push([mode, mayBecomeTask, trigger]);
    await run(testing, 'observed');
    await run(testing, 'observed', { isTask: true, trigger: 'update' });
    expect(seen).toEqual([
      ['sync', false, 'call'],
      ['sync', false, 'call'],
      ['task', true, 'update'],
      ['task', true, 'update'],
    ]);
  });
});

describe('the signal of an execution', () => {
  it('follows the task instead of the request from admission on, and is one object throughout', async () => {
    const request = new AbortController();
    const task = new ToyTask('manual');
    const signals: AbortSignal[] = [];
    body = async (ctx) => {
      signals.push(ctx.signal);
      await ctx.becomeTask();
      request.abort('request gone');
      signals.push(ctx.signal);
      expect(ctx.signal.aborted).toBe(false);
      task.cancel('task cancelled');
      return String(ctx.signal.reason);
    };
    expect(valueOf(await run(testing, 'plain', { admission: task, signal: request.signal }))).toBe('task cancelled');
    expect(signals[0]).toBe(signals[1]);
  });

  it('follows the request where there is no task', async () => {
    const request = new AbortController();
    body = async (ctx) => {
      request.abort('request gone');
      await ctx.becomeTask().catch(() => undefined);
      return String(ctx.signal.reason);
    };
    expect(valueOf(await run(testing, 'plain', { signal: request.signal }))).toBe('request gone');
  });

  it('leaves no listener behind, on the request or the task', async () => {
    const request = new AbortController();
    const task = new ToyTask();
    await run(testing, 'plain', { admission: task, signal: request.signal });
    await run(testing, 'plain', { signal: request.signal });
    expect([getEventListeners(request.signal, 'abort').length, getEventListeners(task.signal, 'abort').length]).toEqual([0, 0]);
  });
});

describe('what an admitted execution reports', () => {
  it('goes to the task: steps are stored before the body goes on, and so is progress', async () => {
    const task = new ToyTask();
    const stored: number[] = [];
    body = async (ctx) => {
      ctx.progress(1, 3, 'one');
      await ctx.step('s', () => 'x');
      stored.push(task.recorded.length);
      await ask(ctx, 'a');
    };
    const outcome = await run(testing, 'plain', { admission: task });
    expect(askedBy(outcome)).toEqual(['a']);
    expect(stored).toEqual([1]);
    expect(task.updates).toEqual([{ progress: 1, total: 3, message: 'one' }]);
  });

  it('before a manual admission stays with the request, and the ledger so far goes along', async () => {
    const task = new ToyTask('manual');
    const updates: object[] = [];
    body = async (ctx) => {
      ctx.progress(1);
      await ctx.step('before', () => 1);
      await ctx.becomeTask();
      await ctx.becomeTask();
      ctx.progress(2);
      await ctx.step('after', () => 2);
    };
    await run(testing, 'plain', { admission: task, updates: updates as never });
    expect(updates).toEqual([{ progress: 1 }]);
    expect(task.updates).toEqual([{ progress: 2 }]);
    expect(task.admissions.map(({ ledger }) => ledger.map(({ key }) => key))).toEqual([['before']]);
    expect(task.recorded.map(({ key }) => key)).toEqual(['after']);
  });

  it('that cannot be stored ends it with -32603, though the body swallows the failure', async () => {
    body = (ctx) => ctx.step('s', () => 1).catch(() => 'swallowed');
    const recorder = { record: () => Promise.reject(new Error('store down')) };
    expect(await run(testing, 'plain', { recorder })).toMatchObject({ kind: 'failed', error: { code: -32603 } });
  });

  it('manually admits nothing where there is no task to become', async () => {
    body = async (ctx) => {
      await ctx.becomeTask();
      return 'went on';
    };
    expect(valueOf(await run(testing, 'plain'))).toBe('went on');
  });
});

describe('a timer that a body leaves behind', () => {
  const gc = collector();

  it('cannot see the call once that is over', async () => {
    const calls: unknown[] = [];
    const look = deferred();
    body = () => void look.promise.then(() => calls.push(passScope.getStore()?.current));
    await run(testing, 'plain');
    look.resolve();
    await turns();
    expect(calls).toEqual([undefined]);
  });

  it.each<[string, (ctx: McpToolContext, leave: () => void) => unknown]>([
    ['in the body', (_ctx, leave) => leave()],
    ['in a step', (ctx, leave) => ctx.step('s', leave)],
  ])('%s does not keep the call', async (_where, leaveTimer) => {
    const timers: NodeJS.Timeout[] = [];
    let kept: WeakRef<object> | undefined;
    body = (ctx, args) => {
      kept = new WeakRef(args as object);
      return leaveTimer(ctx, () => void timers.push(setInterval(() => undefined, 1e6).unref()));
    };
    await run(testing, 'large', { arguments: { text: 'x'.repeat(100_000) } });
    body = () => undefined;
    for (let round = 0; round < 3; round++) {
      await turns();
      gc();
    }
    expect(timers).toHaveLength(1);
    expect(kept!.deref() === undefined).toBe(true);
    clearInterval(timers[0]);
  });
});

function collector(): () => void {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc') as () => void;
}
