import * as fc from 'fast-check';
import { McpArgs, McpContext, McpTool, PROTOCOL_VERSION, type JsonObject, type McpResult, type McpToolContext } from '@mocapi/core';
import type { Exchange } from '@mocapi/core/extension';
import { McpBootstrap } from '@mocapi/core/internal';
import { isTerminal, McpTask, TASKS_EXTENSION, type TaskRecord } from '@mocapi/tasks';
import { Injectable } from '@nestjs/common';
import { turns } from './support/flow.js';
import { ask, yes } from './support/questions.js';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';

/** What a scripted body does, in order: asks at one or several keys, records a step, reports progress. */
type Act = { readonly ask: readonly string[] } | { readonly step: string } | { readonly progress: true };
type Operation =
  { readonly kind: 'get' | 'cancel' | 'tick' } | { readonly kind: 'update'; readonly keys: readonly string[]; readonly good: boolean };

interface Scenario {
  readonly script: readonly Act[];
  readonly operations: readonly Operation[];
  /** Decides how many turns each operation of the store and of the clients waits. */
  readonly jitter: number;
}

/** By the name of a run: how often its body was entered, and its steps were run. */
const entered = new Map<string, number>();
const stepped = new Map<string, number>();
const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

@Injectable()
class Tools {
  @McpTool({ description: 'Follows a script' })
  @McpTask()
  async scripted(
    @McpArgs({ schema: { type: 'object', properties: { name: { type: 'string' }, script: { type: 'array' } } } })
    { name, script }: { name: string; script: Act[] },
    @McpContext() ctx: McpToolContext,
  ): Promise<string> {
    count(entered, name);
    let progress = 0;
    for (const act of script) {
      await turns(1);
      if ('ask' in act) await Promise.all(act.ask.map((key) => ask(ctx, key)));
      else if ('step' in act) await ctx.step(act.step, () => count(stepped, `${name} ${act.step}`));
      else ctx.progress(++progress);
    }
    return name;
  }
}

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** A script asks and records at keys of its own, each once. */
const scripts = fc.array(fc.constantFrom('ask', 'ask two', 'step', 'progress'), { minLength: 1, maxLength: 5 }).map((acts): Act[] => {
  let next = 0;
  return acts.map((act, index) => {
    if (act === 'step') return { step: `step-${index}` };
    if (act === 'progress' || next + 2 > KEYS.length) return { progress: true };
    return { ask: act === 'ask' ? [KEYS[next++]!] : [KEYS[next++]!, KEYS[next++]!] };
  });
});

const operations = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('update' as const), keys: fc.subarray(KEYS, { minLength: 1 }), good: fc.boolean() }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('get' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('tick' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
  ),
  { minLength: 2, maxLength: 14 },
);

const scenarios: fc.Arbitrary<Scenario> = fc.record({ script: scripts, operations, jitter: fc.integer({ min: 1, max: 2 ** 31 - 1 }) });

/** A seeded source of small numbers. */
function small(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 16) % 4;
  };
}

let app: TasksApp;
let runs = 0;

beforeAll(async () => {
  app = await startTasksApp({ tools: [Tools] });
});

afterAll(() => app.close());

/** Hands a message to the server without a socket, so that only the seed decides the order of things. */
async function send(method: string, params: JsonObject): Promise<McpResult> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: { [TASKS_EXTENSION]: {} } },
  };
  const exchange: Exchange = {
    signal: new AbortController().signal,
    notifications: { notify: () => undefined },
    delivery: { onSettled: (listener) => listener(true) },
    request: { headers: {} },
  };
  const { message } = await app.testing.app
    .get(McpBootstrap, { strict: false })
    .dispatcher.dispatch({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }, exchange);
  if (!('result' in message)) throw new Error(JSON.stringify(message));
  return message.result;
}

async function perform(taskId: string, operation: Operation): Promise<void> {
  switch (operation.kind) {
    case 'get':
      return void (await send('tasks/get', { taskId }));
    case 'cancel':
      return void (await send('tasks/cancel', { taskId }));
    case 'tick':
      return app.clock.advance(130);
    case 'update': {
      const bad = Object.fromEntries(operation.keys.map((key) => [key, { action: 'maybe' }]));
      await send('tasks/update', { taskId, inputResponses: operation.good ? yes(...operation.keys) : bad });
    }
  }
}

/** Runs the operations at the same time, each after a wait of its own, then answers until the task has ended. */
async function play({ script, operations: planned, jitter }: Scenario): Promise<{ name: string; history: TaskRecord[] }> {
  const name = `run ${++runs}`;
  const wait = small(jitter);
  const pause = (): Promise<void> => turns(wait());
  app.store.before = { create: pause, get: pause, update: pause };
  const { taskId } = (await send('tools/call', { name: 'scripted', arguments: { name, script } as unknown as JsonObject })) as McpResult & {
    taskId: string;
  };
  await Promise.all(
    planned.map(async (operation, index) => {
      await turns(index * 2 + wait());
      await perform(taskId, operation);
    }),
  );
  for (let round = 0; round < 200; round++) {
    const task = await send('tasks/get', { taskId });
    if (isTerminal(task.status as never)) break;
    if (task.status === 'input_required') await perform(taskId, { kind: 'update', keys: KEYS, good: true });
  }
  await settleDown(taskId);
  return { name, history: app.store.history.filter((record) => record.taskId === taskId) };
}

/** Knocks at a task that has ended in every way there is, long after its end. */
async function settleDown(taskId: string): Promise<void> {
  await turns(30);
  await app.clock.advance(1000);
  for (const kind of ['cancel', 'get'] as const) await perform(taskId, { kind });
  await perform(taskId, { kind: 'update', keys: KEYS, good: true });
  await turns(10);
}

function checkTermination(history: readonly TaskRecord[]): void {
  const terminal = history.filter(({ status }) => isTerminal(status));
  expect(terminal).toHaveLength(1);
  expect(history.at(-1)).toBe(terminal[0]);
  expect(history.at(-1)).not.toHaveProperty('run');
  expect(history.at(-1)).not.toHaveProperty('inputRequests');
}

function checkVersions(history: readonly TaskRecord[]): void {
  expect(history.map(({ version }) => version)).toEqual(history.map((_record, index) => index + 1));
  const times = history.map(({ lastUpdatedAt }) => lastUpdatedAt);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
}

/** An answer never changes, its key is never asked again, and one write resumes the task. */
function checkAnswers(history: readonly TaskRecord[]): void {
  const answers = new Map<string, unknown>();
  for (const { ledger, inputRequests } of history) {
    for (const key of Object.keys(inputRequests ?? {})) expect(answers.has(key)).toBe(false);
    for (const { key, answered, response, answeredBy } of ledger) {
      if (!answered) continue;
      const answer = JSON.stringify({ response, answeredBy });
      expect(answers.get(key) ?? answer).toBe(answer);
      answers.set(key, answer);
    }
  }
}

function checkExecutions(name: string, history: readonly TaskRecord[]): void {
  const claims = new Set(history.flatMap(({ run }) => (run ? [run.id] : [])));
  const fences = [...new Set(history.flatMap(({ run }) => (run ? [run.fence] : [])))];
  expect(fences).toHaveLength(claims.size);
  expect(fences).toEqual(fences.toSorted((one, other) => one - other));
  // A cancel may come before a body is entered; without it each claim is one execution.
  const executions = entered.get(name) ?? 0;
  if (history.at(-1)!.status === 'cancelled') expect(executions).toBeLessThanOrEqual(claims.size);
  else expect(executions).toBe(claims.size);
}

describe('whatever the order of updates, cancels, reads and progress', () => {
  it('a task ends once, nothing of it changes afterwards, its versions count its changes, and each answer resumes it at most once', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const { name, history } = await play(scenario);
        checkTermination(history);
        checkVersions(history);
        checkAnswers(history);
        checkExecutions(name, history);
        for (const act of scenario.script) {
          if ('step' in act) expect(stepped.get(`${name} ${act.step}`) ?? 0).toBeLessThanOrEqual(1);
        }
        if (history.at(-1)!.status === 'completed') {
          expect(history.at(-1)!.result?.content).toEqual([{ type: 'text', text: name }]);
        } else {
          expect(history.at(-1)!.status).toBe('cancelled');
        }
        expect(app.load()).toEqual({ running: 0, queued: 0, zombies: 0 });
      }),
      { numRuns: 120 },
    );
    // The scenarios are worth something: both endings and resumes were among them.
    const ends = new Set(app.store.history.filter(({ status }) => isTerminal(status)).map(({ status }) => status));
    expect(ends).toEqual(new Set(['completed', 'cancelled']));
    expect([...entered.values()].some((executions) => executions > 2)).toBe(true);
  }, 30_000);
});
