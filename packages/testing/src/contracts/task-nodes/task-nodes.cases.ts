import assert from 'node:assert/strict';
import { accept, answerInput } from '../../harness/answer-input.js';
import { pollTask } from '../../harness/poll-task.js';
import { eventually } from '../task-seams/eventually.js';
import { PATIENCE_MS, type TaskNode, type TaskNodesCase } from './task-nodes.fixture.js';

const yes = accept({ ok: true });

/** The node that holds a body of `name`, of those given. */
async function whoRuns(name: string, ...nodes: readonly TaskNode[]): Promise<TaskNode> {
  return eventually(() => {
    const node = nodes.find(({ held }) => held.some((body) => body.name === name));
    assert(node, `a body of ${name} should run on one of the nodes`);
    return node;
  }, PATIENCE_MS);
}

const ended = (node: TaskNode, taskId: string) => pollTask(node.client, taskId, { timeoutMs: PATIENCE_MS });

async function asked(node: TaskNode, taskId: string): Promise<void> {
  const { status } = await ended(node, taskId);
  assert.equal(status, 'input_required');
}

/** Promises of nodes over one store. */
export const taskNodesCases: readonly TaskNodesCase[] = [
  {
    promise: 'a task whose node is dead starts again on another node, which repeats no step, and completes there',
    async check({ a, b, c }) {
      const taskId = await a.begin('repeatable', 'task');
      await a.body('task');
      a.cutOff();
      const heir = await whoRuns('task', b, c);
      (await heir.body('task')).finish('done by the heir');
      const task = await ended(c, taskId);
      assert.equal(task.status, 'completed');
      assert.match(JSON.stringify(task), /done by the heir/);
      assert.deepEqual([...a.steps, ...b.steps, ...c.steps], ['task']);
    },
  },
  {
    promise: 'a task that must not be repeated fails as interrupted when its node is dead',
    async check({ a, b, c }) {
      const taskId = await a.begin('single', 'task');
      await a.body('task');
      a.cutOff();
      const task = await ended(b, taskId);
      assert(task.status === 'failed');
      assert.deepEqual(task.error, { code: -32603, message: 'Task interrupted' });
      assert.deepEqual([b.held.length, c.held.length], [0, 0]);
    },
  },
  {
    promise: 'a node that comes back after its lease learns of it, and its late result changes nothing',
    async check({ a, b, c }) {
      const taskId = await a.begin('repeatable', 'task');
      await a.begin('repeatable', 'other');
      const [late, other] = [await a.body('task'), await a.body('other')];
      a.cutOff();
      const heir = await whoRuns('task', b, c);
      await whoRuns('other', b, c);
      late.finish('too late');
      a.wake();
      await eventually(() => assert.equal(other.signal.reason, 'lease-lost'), PATIENCE_MS);
      (await heir.body('task')).finish('in time');
      assert.match(JSON.stringify(await ended(a, taskId)), /in time/);
      const next = await a.begin('repeatable', 'next');
      (await a.body('next')).finish('next');
      assert.equal((await ended(b, next)).status, 'completed');
    },
  },
  {
    promise: 'a node that shuts down hands over its tasks at once',
    async check({ a, b, c }) {
      const taskId = await a.begin('obedient', 'task');
      const body = await a.body('task');
      await a.end();
      assert.equal(body.signal.reason, 'shutdown');
      const heir = await whoRuns('task', b, c);
      await heir.client.request('tasks/cancel', { taskId });
      assert.equal((await ended(c, taskId)).status, 'cancelled');
    },
  },
  {
    promise: 'a task that is cancelled on one node is aborted on the node that runs it',
    async check({ a, b }) {
      const taskId = await a.begin('obedient', 'task');
      const body = await a.body('task');
      await b.client.request('tasks/cancel', { taskId });
      await eventually(() => assert.equal(body.signal.reason, 'cancelled'), PATIENCE_MS);
      assert.equal((await ended(a, taskId)).status, 'cancelled');
    },
  },
  {
    promise: 'a task that waits for answers needs no node, and continues where the last answer comes',
    async check({ a, b, c }) {
      const taskId = await a.begin('asking', 'task');
      await asked(a, taskId);
      a.cutOff();
      await answerInput(b.client, { taskId }, { one: yes });
      await answerInput(c.client, { taskId }, { two: yes });
      (await c.body('task')).finish('done');
      assert.equal((await ended(b, taskId)).status, 'completed');
      assert.deepEqual([a.held.length, b.held.length, c.held.length], [0, 0, 1]);
    },
  },
  {
    promise: 'answers that reach a node without the tool continue on a node with it',
    async check({ a, b, c }) {
      for (const tool of ['asking', 'askingOnce']) {
        const taskId = await a.begin(tool, tool);
        await asked(a, taskId);
        for (const node of [a, b]) node.forget(tool);
        const { error } = await answerInput(b.client, { taskId }, { one: yes, two: yes });
        assert.equal(error, undefined);
        (await c.body(tool)).finish('done');
        assert.equal((await ended(b, taskId)).status, 'completed');
      }
    },
  },
  {
    promise: 'the same answers on all nodes at once begin the task once',
    async check({ a, b, c }) {
      const taskId = await a.begin('asking', 'task');
      await asked(b, taskId);
      const answers = { one: yes, two: yes };
      const replies = await Promise.all([a, b, c, a, b, c].map((node) => answerInput(node.client, { taskId }, answers)));
      for (const { error } of replies) assert.equal(error, undefined);
      const winner = await whoRuns('task', a, b, c);
      (await winner.body('task')).finish('done');
      assert.equal((await ended(a, taskId)).status, 'completed');
      assert.equal(a.held.length + b.held.length + c.held.length, 1);
    },
  },
  {
    promise: 'a client that listens on one node hears of changes of a task on the others, and of its end last',
    async check({ a, b, c }) {
      const taskId = await a.begin('asking', 'task');
      await asked(a, taskId);
      const stream = await c.client.listen({ taskIds: [taskId] });
      const heard: unknown[] = [];
      const hear = async (status: string): Promise<void> => {
        while (heard.at(-1) !== status) heard.push((await stream.next()).params?.status);
      };
      await hear('input_required');
      a.cutOff();
      await answerInput(b.client, { taskId }, { one: yes, two: yes });
      await hear('working');
      (await b.body('task')).finish('done');
      await hear('completed');
      await stream.close();
    },
  },
];
