import type { ExecutionContext } from '@nestjs/common';
import { Injectable, UseGuards } from '@nestjs/common';
import { McpArg, McpContext, McpExecution, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { answerInput, FakeClock, pollTask } from '@mocapi/testing';
import { aborted, deferred, turns, until, type Deferred } from './support/flow.js';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';
import { failOnUnhandledRejections } from './support/unhandled-rejections.js';

const LEASE = 15_000;
const BEAT = LEASE / 5;
/** Its last sign of life may have been a beat ago, and a quarter. */
const EARLIEST = LEASE - 1.25 * BEAT - 1;
/** Lease, and two beats of which each may come a quarter late. */
const BOUND = LEASE + 2.5 * BEAT;

interface Body {
  readonly tool: string;
  readonly ctx: McpToolContext;
  readonly finish: Deferred<string>;
}

let bodies: Body[];
let steps: number;
let guarded: { user: unknown; headers: unknown; trigger: string; mode: string }[];

/** Notes what a guard can know of the execution. */
@Injectable()
class NotingGuard {
  canActivate(context: ExecutionContext): boolean {
    const { user, headers } = context.switchToHttp().getRequest<{ user?: unknown; headers: unknown }>();
    const { trigger, mode } = McpExecution.of(context);
    guarded.push({ user, headers, trigger, mode });
    return true;
  }
}

/** Wants to see the caller's own header. */
@Injectable()
class HeaderGuard {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ headers: Record<string, unknown> }>().headers['x-user'] !== undefined;
  }
}

function enter(tool: string, ctx: McpToolContext): Promise<string> {
  const body = { tool, ctx, finish: deferred<string>() };
  bodies.push(body);
  return body.finish.promise;
}

@Injectable()
class Tools {
  @McpTool({ description: 'Can be repeated' })
  @McpTask({ recover: 'replay' })
  @UseGuards(NotingGuard)
  async repeatable(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.step('once', () => (steps += 1));
    return enter('repeatable', ctx);
  }

  @McpTool({ description: 'Can be repeated, by those who show who they are' })
  @McpTask({ recover: 'replay' })
  @UseGuards(HeaderGuard)
  async tokened(@McpContext() ctx: McpToolContext): Promise<string> {
    return enter('tokened', ctx);
  }

  @McpTool({ description: 'Must not be repeated' })
  @McpTask({ recover: 'fail' })
  async once(@McpContext() ctx: McpToolContext): Promise<string> {
    return enter('once', ctx);
  }

  @McpTool({ description: 'Can be repeated and heeds its signal' })
  @McpTask({ recover: 'replay' })
  async obedient(@McpContext() ctx: McpToolContext): Promise<string> {
    void enter('obedient', ctx);
    throw new Error(`stopped: ${String(await aborted(ctx.signal))}`);
  }

  @McpTool({ description: 'Asks, then works' })
  @McpTask({ recover: 'replay' })
  async asking(@McpArg('name') name: string, @McpContext() ctx: McpToolContext): Promise<string> {
    await ask(ctx, 'sure');
    return enter(`asking ${name}`, ctx);
  }
}

failOnUnhandledRejections();

let one: TasksApp;
let other: TasksApp;
let apps: TasksApp[];

beforeEach(async () => {
  bodies = [];
  steps = 0;
  guarded = [];
  one = await startTasksApp({ tools: [Tools] });
  other = await startTasksApp({ tools: [Tools], beside: one });
  apps = [one, other];
  // Who has just joined is patient at first.
  await one.clock.advance(LEASE + BEAT);
});

afterEach(async () => {
  for (const { finish } of bodies) finish.resolve('released');
  for (const app of apps) await app.close();
});

/** From here on the node says nothing more to the others, and hears nothing: as if it had died, though its bodies go on. */
function silence(app: TasksApp): void {
  const index = app.store.runIndex;
  const [session] = sessionsOf(app);
  const beat = index.beat.bind(index);
  index.beat = (asked) => (asked === session ? new Promise(() => undefined) : beat(asked));
}

/** Makes the other node one that asks guards in a takeover. */
async function asking(): Promise<void> {
  await other.close();
  other = await startTasksApp({ tools: [Tools], beside: one, tasks: { guardsOnTakeover: 'run' } });
  apps = [one, other];
  await one.clock.advance(LEASE + BEAT);
}

/** Nodes of which one is alive at a time, each with a clock of its own: that of a dead one stands still. */
async function dying(): Promise<{ readonly current: TasksApp; die(times: number): Promise<void> }> {
  // Those of the other tests are not to take anything over.
  await Promise.all([one.close(), other.close()]);
  const start = async (): Promise<TasksApp> => {
    const node = await startTasksApp({ tools: [Tools], beside: { store: one.store, clock: new FakeClock() } });
    apps.push(node);
    return node;
  };
  const nodes = {
    current: await start(),
    async die(times: number) {
      for (let left = times; left > 0; left--) {
        nodes.current = await start();
        await one.clock.advance(LEASE + 1);
        await nodes.current.clock.advance(BOUND);
        await turns(20);
      }
    },
  };
  return nodes;
}

/** The sessions under which tasks of the app's store run. */
function sessionsOf(app: TasksApp): string[] {
  return [...new Set(app.store.history.map(({ run }) => run?.owner).filter((owner) => owner !== undefined))];
}

async function running(client: TasksApp, tool: string, args: object = {}): Promise<string> {
  const before = bodies.length;
  const taskId = await startTask(client.capable('ann'), tool, args);
  await until(() => bodies.length > before, `${tool} runs`);
  return taskId;
}

describe('a task whose node died', () => {
  it('is begun again on another node within lease and two beats, and completes there, once', async () => {
    const taskId = await running(one, 'repeatable');
    silence(one);
    await one.clock.advance(EARLIEST);
    expect(bodies).toHaveLength(1);
    await one.clock.advance(BOUND - EARLIEST);
    await until(() => bodies.length === 2, 'it was begun again');
    expect(one.store.last(taskId)?.run).toMatchObject({ attempt: 2 });
    bodies[1]!.finish.resolve('done elsewhere');
    const task = await pollTask(other.capable('ann'), taskId);
    expect(task).toMatchObject({ status: 'completed', result: { content: [{ text: 'done elsewhere' }] } });
    // What was recorded is not done again.
    expect(steps).toBe(1);
  });

  it('changes no more by the hand of the node that was taken for dead', async () => {
    const taskId = await running(one, 'repeatable');
    silence(one);
    await one.clock.advance(BOUND);
    await until(() => bodies.length === 2, 'it was begun again');
    const { version } = one.store.last(taskId)!;
    bodies[0]!.finish.resolve('too late');
    await until(() => one.load().running === 0, 'the late body has ended');
    await turns(3);
    expect(one.store.last(taskId)).toMatchObject({ status: 'working', version, run: { attempt: 2 } });
    bodies[1]!.finish.resolve('in time');
    expect(await pollTask(one.capable('ann'), taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: 'in time' }] } });
  });

  it('has its guards asked again where the application says so, as its stored caller and without a request', async () => {
    await asking();
    await running(one, 'repeatable');
    silence(one);
    await one.clock.advance(BOUND);
    await until(() => bodies.length === 2, 'it was begun again');
    expect(guarded).toMatchObject([
      { trigger: 'call', user: undefined, headers: { 'x-user': 'ann' } },
      { trigger: 'takeover', mode: 'task', user: { id: 'ann' }, headers: {} },
    ]);
  });

  it('has no guard asked again by default', async () => {
    const taskId = await running(one, 'repeatable');
    silence(one);
    await one.clock.advance(BOUND);
    await until(() => bodies.length === 2, 'it was begun again');
    expect(guarded.map(({ trigger }) => trigger)).toEqual(['call']);
    expect(bodies[1]!.ctx.principal).toEqual({ id: 'ann' });
    bodies[1]!.finish.resolve('done');
    expect(await pollTask(other.capable('ann'), taskId)).toMatchObject({ status: 'completed' });
  });

  it('fails as denied when guards are asked and one that reads the request denies without one', async () => {
    await asking();
    const taskId = await running(one, 'tokened');
    silence(one);
    await one.clock.advance(BOUND);
    await until(() => one.store.last(taskId)?.status === 'failed', 'it failed');
    expect(one.store.last(taskId)).toMatchObject({ statusMessage: 'Forbidden', error: { code: 403 } });
    expect(bodies).toHaveLength(1);
    const said = other.testing.logs.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(said).toContainEqual(expect.stringMatching(/A task of tokened failed when it was taken over: 403 Forbidden.*guardsOnTakeover/));
  });

  it('fails as interrupted when its tool must not be repeated, and its body is not entered again', async () => {
    const taskId = await running(one, 'once');
    silence(one);
    await one.clock.advance(BOUND);
    await until(() => one.store.last(taskId)?.status === 'failed', 'it failed');
    expect(await pollTask(other.capable('ann'), taskId)).toMatchObject({
      status: 'failed',
      statusMessage: 'Task interrupted',
      error: { code: -32603, message: 'Task interrupted' },
    });
    expect(bodies).toHaveLength(1);
  });

  it('is left as it is while it waits for an answer, and goes on wherever that comes', async () => {
    const taskId = await startTask(one.capable('ann'), 'asking', { name: 'x' });
    await until(() => one.store.last(taskId)?.status === 'input_required', 'it asks');
    const { version } = one.store.last(taskId)!;
    await one.clock.advance(3 * BOUND);
    expect(one.store.last(taskId)?.version).toBe(version);
    await answerInput(other.capable('ann'), { taskId }, yes('sure'));
    await until(() => bodies.length === 1, 'it goes on');
    expect(other.load().running).toBe(1);
  });
});

describe('a task whose nodes die one after the other', () => {
  it('fails once it was begun as often as it may, for it may be what they die of', async () => {
    const nodes = await dying();
    const taskId = await running(nodes.current, 'repeatable');
    await nodes.die(3);
    expect(one.store.last(taskId)).toMatchObject({ statusMessage: 'Task interrupted too many times', error: { code: -32603 } });
    expect(bodies).toHaveLength(3);
  });

  it('does not fail for having run beside the one they die of: the last attempts begin one after the other', async () => {
    const nodes = await dying();
    const tasks = [await running(nodes.current, 'repeatable'), await running(nodes.current, 'repeatable')];
    await nodes.die(2);
    expect(bodies).toHaveLength(5);
    const runs = tasks.map((taskId) => one.store.last(taskId)!.run!);
    expect(runs.map(({ attempt }) => attempt)).toEqual([3, 3]);
    expect(new Set(runs.map(({ probation }) => probation))).toEqual(new Set(['begun', 'waiting']));
    const guilty = runs[0]!.probation === 'begun' ? 0 : 1;
    await nodes.die(1);
    expect(bodies).toHaveLength(6);
    expect(one.store.last(tasks[guilty]!)).toMatchObject({ statusMessage: 'Task interrupted too many times' });
    expect(one.store.last(tasks[1 - guilty]!)).toMatchObject({ status: 'working', run: { attempt: 3, probation: 'begun' } });
  });

  it('is not failed for a death after it has run for a lease without harm, but that counts for it once', async () => {
    const nodes = await dying();
    const taskId = await running(nodes.current, 'repeatable');
    await nodes.die(2);
    await nodes.current.clock.advance(LEASE);
    await until(() => one.store.last(taskId)!.run!.probation === 'acquitted', 'it was trusted');
    await nodes.die(1);
    expect(one.store.last(taskId)).toMatchObject({ status: 'working', run: { attempt: 3, probation: 'begun', wasAcquitted: true } });
    await nodes.current.clock.advance(LEASE);
    await nodes.die(1);
    expect(one.store.last(taskId)).toMatchObject({ status: 'failed', statusMessage: 'Task interrupted too many times' });
  });

  it('is begun though the one before it does not end, once that has not killed its node for a lease', async () => {
    const nodes = await dying();
    await running(nodes.current, 'repeatable');
    await running(nodes.current, 'repeatable');
    await nodes.die(2);
    expect(bodies).toHaveLength(5);
    await nodes.current.clock.advance(LEASE);
    await until(() => bodies.length === 6, 'the next has its turn');
  });
});

describe('a node that was taken for dead and lives', () => {
  it('tells its bodies that they lost their lease, and goes on under another name', async () => {
    const index = one.store.runIndex;
    await running(one, 'repeatable');
    const [session] = sessionsOf(one);
    await index.leave(session!);
    await until(() => bodies.length === 2, 'the other node took over');
    await one.clock.advance(BEAT * 1.25);
    await until(() => bodies[0]!.ctx.signal.aborted, 'its body was told');
    expect(bodies[0]!.ctx.signal.reason).toBe('lease-lost');
    expect(bodies[1]!.ctx.signal.aborted).toBe(false);
    const next = await running(one, 'repeatable');
    expect(one.store.last(next)!.run!.owner).not.toBe(session);
  });

  it('does not take its sleep for that of the others, when it was the store that was away', async () => {
    const taskId = await running(one, 'repeatable');
    const index = one.store.runIndex;
    const { beat } = index;
    index.beat = () => Promise.reject(new Error('the store is away'));
    await one.clock.advance(3 * LEASE);
    index.beat = beat;
    await one.clock.advance(BEAT * 1.25);
    await one.clock.advance(2 * LEASE);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]!.ctx.signal.aborted).toBe(false);
    expect(one.store.last(taskId)).toMatchObject({ run: { attempt: 1 } });
  });
});

describe('a node that ends', () => {
  it('hands what can be repeated to the others at once, and that does not count as an attempt', async () => {
    const taskId = await running(one, 'obedient');
    await one.close();
    apps.shift();
    await until(() => bodies.length === 2, 'the other node took over, with no time passing');
    expect(one.store.last(taskId)?.run).toMatchObject({ attempt: 1 });
    expect(bodies[0]!.ctx.signal.reason).toBe('shutdown');
    await other.capable('ann').request('tasks/cancel', { taskId });
  });

  it('lets what must not be repeated come to its end first, for as long as drain says', async () => {
    const draining = await startTasksApp({ tools: [Tools], beside: one, tasks: { drain: 'PT2S' } });
    const taskId = await running(draining, 'once');
    const closed = draining.close();
    await turns(5);
    expect(bodies[0]!.ctx.signal.aborted).toBe(false);
    bodies[0]!.finish.resolve('just in time');
    await closed;
    expect(one.store.last(taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: 'just in time' }] } });
  });

  it('stays alive to the others while it drains, though that takes longer than a lease', async () => {
    const draining = await startTasksApp({ tools: [Tools], beside: one, tasks: { drain: 'PT1M' } });
    const taskId = await running(draining, 'once');
    const closed = draining.close();
    await turns(5);
    await one.clock.advance(2 * BOUND);
    expect(one.store.last(taskId)).toMatchObject({ status: 'working' });
    bodies[0]!.finish.resolve('after two leases');
    await closed;
    expect(one.store.last(taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: 'after two leases' }] } });
  });

  it('hands over what waits for its turn, also of what must not be repeated: it has not begun', async () => {
    const draining = await startTasksApp({ tools: [Tools], beside: one, tasks: { drain: 'PT2S', limits: { maxRunning: 1 } } });
    await running(draining, 'once');
    const waiting = await startTask(draining.capable('ann'), 'once');
    expect(draining.load()).toMatchObject({ running: 1, queued: 1 });
    const closed = draining.close();
    await turns(5);
    bodies[0]!.finish.resolve('in time');
    await closed;
    await until(() => bodies.length === 2, 'another node began it');
    expect(one.store.last(waiting)).toMatchObject({ status: 'working', run: { attempt: 1 } });
    bodies[1]!.finish.resolve('elsewhere');
    expect(await pollTask(other.capable('ann'), waiting)).toMatchObject({ status: 'completed' });
  });

  it('tells it to stop after that', async () => {
    const draining = await startTasksApp({ tools: [Tools], beside: one, tasks: { drain: 'PT2S' } });
    await running(draining, 'once');
    const closed = draining.close();
    await until(() => draining.clock.pendingTimers > 0, 'it waits');
    await turns(5);
    await one.clock.advance(1999);
    expect(bodies[0]!.ctx.signal.aborted).toBe(false);
    await one.clock.advance(1);
    expect(bodies[0]!.ctx.signal.reason).toBe('shutdown');
    bodies[0]!.finish.resolve('after all');
    await closed;
  });
});

describe('a node that ends while a task is being created', () => {
  it('waits until it is, and hands it over like the rest', async () => {
    const written = deferred();
    one.store.before = { create: () => written.promise };
    const call = startTask(one.capable('ann'), 'obedient').catch(() => undefined);
    await until(() => one.store.count('create') === 1, 'the store was asked');
    const closed = one.close();
    apps.shift();
    await turns(20);
    written.resolve();
    await closed;
    await call;
    const created = one.store.history[0]!;
    await until(() => one.store.last(created.taskId)?.run?.owner !== created.run!.owner, 'the other node took over');
  });

  it('is not forgotten when the store is slower than the node can wait', async () => {
    const written = deferred();
    one.store.before = { create: () => written.promise };
    const call = startTask(one.capable('ann'), 'obedient').catch(() => undefined);
    await until(() => one.store.count('create') === 1, 'the store was asked');
    const closed = one.close();
    apps.shift();
    for (let seconds = 0; seconds < 6; seconds++) await one.clock.advance(1000);
    await closed;
    await call;
    // By now the other node has looked for it, in vain.
    await one.clock.advance(BEAT * 1.25);
    written.resolve();
    await until(() => one.store.history.length > 0, 'the record is there after all');
    await one.clock.advance(2 * BEAT);
    const created = one.store.history[0]!;
    const last = one.store.last(created.taskId)!;
    expect(last.status !== 'working' || last.run!.owner !== created.run!.owner || one.store.size === 0).toBe(true);
  });
});

describe('a task that is cancelled on another node', () => {
  it('is told to stop where it runs', async () => {
    const taskId = await running(one, 'obedient');
    await other.capable('ann').request('tasks/cancel', { taskId });
    await until(() => bodies[0]!.ctx.signal.aborted, 'its body was told');
    expect(bodies[0]!.ctx.signal.reason).toBe('cancelled');
    expect(one.store.last(taskId)?.status).toBe('cancelled');
    await until(() => one.load().running === 0, 'its slot is free');
  });

  it('is told to stop within twelve seconds when the word to its node is lost', async () => {
    const taskId = await running(one, 'obedient');
    one.store.runIndex.tellStopped = () => Promise.resolve();
    await other.capable('ann').request('tasks/cancel', { taskId });
    await turns(5);
    expect(bodies[0]!.ctx.signal.aborted).toBe(false);
    await one.clock.advance(12_000);
    await until(() => bodies[0]!.ctx.signal.aborted, 'its body was told');
    expect(bodies[0]!.ctx.signal.reason).toBe('cancelled');
  });
});
