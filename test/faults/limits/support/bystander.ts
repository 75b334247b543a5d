import { setTimeout } from 'node:timers/promises';
import { accept, answerInput, type McpTestClient } from '@mocapi/testing';

const EVERY_MS = 100;
/** The tasks of a caller are kept for their ttl, and a caller has a limit of its own. In a long flood, rounds begin less often, to stay below it. */
const MOST_ROUNDS = 800;
/** On a machine that serves fewer, more would only wait for each other. */
const MOST_AT_ONCE = 5;
/** What the other caller waits for a task. Longer than that and it was not served. */
const TASK_MS = 30_000;

/** What became of the calls of a caller who did nothing wrong. Times are milliseconds. */
export interface ServedCalls {
  readonly rounds: number;
  /** Until a call was answered, the longest. */
  readonly longestMs: number;
  /** Until a task was completed that asks once, the longest. */
  readonly longestTaskMs: number;
  /** Why rounds failed. */
  readonly problems: readonly string[];
}

/** Another caller than the flooder: begins a round every 100 ms, in a long flood less often, unless five are not over yet. */
export class Bystander {
  private readonly rounds: Promise<void>[] = [];
  private open = 0;
  private readonly timer: NodeJS.Timeout;
  private readonly problems: string[] = [];
  private longestMs = 0;
  private longestTaskMs = 0;

  constructor(
    private readonly client: McpTestClient,
    seconds: number,
  ) {
    const begin = () => {
      if (this.open < MOST_AT_ONCE) this.rounds.push(this.round());
    };
    this.timer = setInterval(begin, Math.max(EVERY_MS, (seconds * 1000) / MOST_ROUNDS));
  }

  /** Begins nothing more, and waits for what it began. Harmless when repeated. */
  async stop(): Promise<ServedCalls> {
    clearInterval(this.timer);
    await Promise.all(this.rounds);
    const { problems, longestMs, longestTaskMs } = this;
    return { rounds: this.rounds.length, longestMs: Math.round(longestMs), longestTaskMs: Math.round(longestTaskMs), problems };
  }

  private async round(): Promise<void> {
    this.open += 1;
    try {
      const added = await this.timed(() => this.client.callTool('add', { a: 1, b: 2 }));
      if (added.result?.structuredContent?.sum !== 3) throw new Error(`add: ${added.raw}`);
      const begun = performance.now();
      await this.task();
      this.longestTaskMs = Math.max(this.longestTaskMs, performance.now() - begun);
    } catch (error) {
      this.problems.push((error as Error).message.slice(0, 300));
    } finally {
      this.open -= 1;
    }
  }

  private async task(): Promise<void> {
    const created = await this.timed(() => this.client.callTool('confirmed_report', { title: 'of another caller' }));
    const taskId = created.result?.taskId;
    if (taskId === undefined) throw new Error(`confirmed_report: ${created.raw}`);
    await this.poll(taskId, 'input_required');
    const answered = await this.timed(() => answerInput(this.client, { taskId }, { confirm: accept({ ok: false }) }));
    if (answered.error) throw new Error(`tasks/update: ${answered.raw}`);
    await this.poll(taskId, 'completed');
  }

  private async poll(taskId: string, wanted: string): Promise<void> {
    const deadline = performance.now() + TASK_MS;
    for (;;) {
      const polled = await this.timed(() => this.client.request('tasks/get', { taskId }));
      const status = String(polled.result?.status);
      if (status === wanted) return;
      if (performance.now() > deadline || !['working', 'input_required'].includes(status)) throw new Error(`tasks/get: ${polled.raw}`);
      await setTimeout(EVERY_MS);
    }
  }

  private async timed<T>(call: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const reply = await call();
    this.longestMs = Math.max(this.longestMs, performance.now() - begun);
    return reply;
  }
}
