import type { JsonObject } from '@mocapi/core';
import { isTerminal, type TaskStatus } from '@mocapi/tasks';
import { accept } from '@mocapi/testing';
import { isUnavailable, SimulatedClient, type ClientParts, type Reply } from './simulated-client.js';
import { SimulatedListener } from './simulated-listener.js';
import type { TaskPlan } from './task-plan.js';

interface SeenTask {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly inputRequests?: JsonObject;
}

/** What the client of one task does: calls, polls, answers, cancels, listens, until nothing more is to come. */
export class TaskStory {
  private readonly client: SimulatedClient;
  private listener: SimulatedListener | undefined;

  constructor(
    private readonly parts: ClientParts,
    private readonly plan: TaskPlan,
    /** Whether the client is to stop asking for a task that it never answers. */
    private readonly isOver: () => boolean,
  ) {
    this.client = new SimulatedClient(parts, plan.principal && { id: plan.principal });
  }

  async play(): Promise<void> {
    const { time } = this.parts;
    await time.wait(this.plan.startsAt, `${this.plan.name} begins`);
    const taskId = await this.create();
    if (taskId === undefined) return;
    if (this.plan.listens) this.listener = new SimulatedListener(this.parts, taskId, this.plan.principal && { id: this.plan.principal });
    if (this.plan.cancelsAfter !== undefined) void this.cancelLater(taskId, this.plan.cancelsAfter);
    await this.follow(taskId);
    if (this.plan.principal) await this.client.probe(taskId);
  }

  /** Whether its stream has nothing more to hear: the task, if it can still be read, was pushed as it is. */
  heardLast(): boolean {
    return this.listener?.heardLast() ?? true;
  }

  /** Stops listening. */
  end(): void {
    this.listener?.close();
  }

  private async create(): Promise<string | undefined> {
    const { time, random } = this.parts;
    for (let tries = 1; tries <= 4; tries++) {
      // A call that is made again is another task.
      const params = { name: this.plan.tool, arguments: { name: `${this.plan.name}/${tries}` } };
      const reply = await this.client.request('tools/call', params, this.plan.ttlMs);
      if (reply.kind === 'result') return this.created(reply.result as unknown as SeenTask);
      // A call that got no answer may have been made: to make it again is the caller's own decision.
      if (reply.kind === 'lost') return undefined;
      await time.wait(random.between(200, 1200), `${this.plan.name} tries again`);
    }
    return undefined;
  }

  private created({ taskId }: SeenTask): string {
    this.acknowledged(taskId, 'create', []);
    return taskId;
  }

  private async follow(taskId: string): Promise<void> {
    const { time, random } = this.parts;
    for (;;) {
      await time.wait(random.between(400, 1600), `${this.plan.name} polls`);
      const reply = await this.client.request('tasks/get', { taskId });
      if (reply.kind === 'lost' || isUnavailable(reply)) continue;
      const seen = this.saw(taskId, reply);
      if (!seen || isTerminal(seen.status)) return;
      if (seen.status === 'input_required' && this.plan.answering === 'never' && this.isOver()) return;
      if (seen.status === 'input_required') await this.answer(taskId, Object.keys(seen.inputRequests ?? {}));
    }
  }

  private async answer(taskId: string, keys: readonly string[]): Promise<void> {
    switch (this.plan.answering) {
      case 'never':
        return;
      case 'all':
        return this.give(taskId, keys);
      case 'one by one':
        return this.give(taskId, [this.parts.random.pick(keys)]);
      case 'nonsense first':
        await this.client.request('tasks/update', {
          taskId,
          inputResponses: Object.fromEntries(keys.map((key) => [key, { action: 'maybe' }])),
        });
        return this.give(taskId, keys);
      case 'twice':
        return void (await Promise.all([this.give(taskId, keys), this.give(taskId, keys)]));
    }
  }

  private async give(taskId: string, keys: readonly string[]): Promise<void> {
    const inputResponses = Object.fromEntries(keys.map((key) => [key, accept({ ok: true })]));
    const reply = await this.client.request('tasks/update', { taskId, inputResponses });
    if (reply.kind === 'result') this.acknowledged(taskId, 'answer', keys);
  }

  private async cancelLater(taskId: string, ms: number): Promise<void> {
    await this.parts.time.wait(ms, `${this.plan.name} is to be cancelled`);
    const reply = await this.client.request('tasks/cancel', { taskId });
    if (reply.kind === 'result') this.acknowledged(taskId, 'cancel', []);
  }

  private saw(taskId: string, reply: Exclude<Reply, { kind: 'lost' }>): SeenTask | undefined {
    const { history, time } = this.parts;
    const { resultType: _resultType, ...task } = (reply.kind === 'result' ? reply.result : {}) as JsonObject;
    const seen = { at: time.now, taskId, node: reply.node, commits: history.commits.length };
    history.sightings.push(reply.kind === 'result' ? { ...seen, task } : seen);
    return reply.kind === 'result' ? (task as unknown as SeenTask) : undefined;
  }

  private acknowledged(taskId: string, what: 'create' | 'answer' | 'cancel', keys: readonly string[]): void {
    const record = this.client.stored(taskId);
    this.parts.history.acknowledgements.push({ at: this.parts.time.now, taskId, what, keys, ...(record ? { record } : {}) });
  }
}
