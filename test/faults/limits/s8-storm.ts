import { accept, pollTask, type McpReply, type McpTestClient } from '@mocapi/testing';
import { inBatches } from '../nodes/support/jobs.js';
import { evidence, type Fault } from '../support/fault.js';
import { floodSeconds, isLimitRefusal, runFlood } from './support/flood.js';

const PARKED = 500;
const AT_ONCE = 50;

/** One caller who answers very many parked tasks at once, and whose bodies don't stop (S-8). */
export const parkedStorm: Fault = {
  id: 'S-8-storm',
  title: 'one caller who answers hundreds of tasks at once starves no other',
  limitMs: { long: 900_000 },
  run: (scale) =>
    runFlood({
      server: 'storm',
      seconds: floodSeconds(scale, 60),
      begin: (server) => {
        const storm = new Storm(server.client('flooder'));
        return { wave: () => storm.wave(), outcome: () => storm.outcome() };
      },
    }),
};

class Storm {
  private parked: string[] = [];
  private waves = 0;
  private answered = 0;
  private refused = 0;
  private readonly strange: string[] = [];

  constructor(private readonly client: McpTestClient) {}

  /** Parks until 500 are parked, or no more are let in; answers all at once; and tells each second one that goes on to stop, which it does not heed. */
  async wave(): Promise<void> {
    const missing = Array.from({ length: PARKED - this.parked.length });
    const begun = await inBatches(missing, AT_ONCE, () => this.park());
    const all = [...this.parked, ...begun.flat()];
    const replies = await Promise.all(all.map((taskId) => this.answer(taskId)));
    this.waves += 1;
    const taken = all.filter((_, index) => replies[index]!.error === undefined);
    this.answered += taken.length;
    replies.filter(({ error }) => error !== undefined).forEach((reply) => this.refuse(reply));
    this.parked = all.filter((_, index) => isLimitRefusal(replies[index]!));
    await Promise.all(taken.filter((_, index) => index % 2 === 0).map((taskId) => this.client.request('tasks/cancel', { taskId })));
  }

  outcome() {
    return {
      injected: `${this.waves} times up to ${PARKED} parked tasks of one caller, answered at once; half of those that go on are told to stop and don't`,
      fired: this.answered > 0 ? evidence(this.refused, 'calls refused with data.retryAfterMs') : '',
      expected: 'what is too much is refused',
      seen: `${this.answered} answers taken, ${this.refused} calls refused`,
      problems: this.strange,
    };
  }

  private async park(): Promise<string[]> {
    const reply = await this.client.callTool('deaf');
    const taskId = reply.result?.taskId;
    if (taskId === undefined) {
      this.refuse(reply);
      return [];
    }
    await pollTask(this.client, taskId, { timeoutMs: 30_000 });
    return [taskId];
  }

  private answer(taskId: string): Promise<McpReply> {
    return this.client.request('tasks/update', { taskId, inputResponses: { go: accept({ yes: true }) } });
  }

  private refuse(reply: McpReply): void {
    if (isLimitRefusal(reply)) this.refused += 1;
    // Its time was over before it was answered.
    else if (!/not found/i.test(reply.raw)) this.strange.push(`answered otherwise: ${reply.raw.slice(0, 200)}`);
  }
}
