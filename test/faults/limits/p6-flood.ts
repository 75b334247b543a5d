import type { McpListenStream, McpReply, McpTestClient } from '@mocapi/testing';
import { evidence, type Fault } from '../support/fault.js';
import { floodSeconds, isLimitRefusal, runFlood } from './support/flood.js';

const REPORTING = 4;
/** More than one request may send at once. */
const REPORTS = 5000;
const COMPLETIONS = 100;
/** More than one caller may have open. */
const STREAMS = 40;

/** One caller who listens, completes and has progress reported as often as the server lets it (P-6). */
export const noisyFlood: Fault = {
  id: 'P-6-flood',
  title: 'one caller who floods listeners, progress and completions keeps no other out',
  limitMs: { long: 900_000 },
  run: (scale) =>
    runFlood({
      server: 'noisy',
      seconds: floodSeconds(scale, 300),
      begin: (server) => {
        const noise = new Noise(server.client('flooder'));
        return { wave: () => noise.wave(), outcome: () => noise.outcome() };
      },
    }),
};

class Noise {
  private waves = 0;
  private readonly opened = { let: 0, refused: 0 };
  private readonly completed = { let: 0, refused: 0 };
  private readonly reported = { sent: 0, dropped: 0 };
  private readonly strange: string[] = [];

  constructor(private readonly client: McpTestClient) {}

  /** Each of the three by itself, then all at once. */
  async wave(): Promise<void> {
    await this.listen();
    await this.complete();
    await this.report();
    await Promise.all([this.listen(), this.complete(), this.report()]);
    this.waves += 1;
  }

  outcome() {
    const { opened, completed, reported } = this;
    const haveAllFired = opened.refused > 0 && completed.refused > 0 && reported.dropped > 0;
    return {
      injected: `${this.waves} times ${STREAMS} streams, ${COMPLETIONS} completions and ${REPORTING} times ${REPORTS} reports, in turn and together`,
      fired: haveAllFired
        ? `${evidence(opened.refused, 'streams refused')}, ${evidence(completed.refused, 'completions refused')}, ${evidence(reported.dropped, 'reports dropped')}`
        : '',
      expected: 'what is too much is refused or dropped, and the last report arrives',
      seen: `${opened.let} streams, ${completed.let} completions and ${reported.sent} reports let through`,
      problems: this.strange,
    };
  }

  private async listen(): Promise<void> {
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => this.client.listen({ toolsListChanged: true })));
    await Promise.all(streams.map((stream) => this.judge(stream)));
  }

  private async judge(stream: McpListenStream): Promise<void> {
    if (stream.status === 200) {
      this.opened.let += 1;
      await stream.next();
      await stream.close();
    } else {
      await stream.ended;
      if (stream.status === 429 && stream.error?.code === -32603) this.opened.refused += 1;
      else this.strange.push(`a stream was answered ${stream.status} ${JSON.stringify(stream.error)}`);
    }
  }

  private async complete(): Promise<void> {
    const params = { ref: { type: 'ref/prompt', name: 'travel' }, argument: { name: 'city', value: 'Paris' } };
    const replies = await Promise.all(Array.from({ length: COMPLETIONS }, () => this.client.request('completion/complete', params)));
    for (const reply of replies) this.count(reply);
  }

  private count(reply: McpReply): void {
    if (reply.result?.completion) this.completed.let += 1;
    else if (isLimitRefusal(reply)) this.completed.refused += 1;
    else this.strange.push(`a completion was answered ${reply.raw.slice(0, 200)}`);
  }

  private async report(): Promise<void> {
    await Promise.all(
      Array.from({ length: REPORTING }, async () => {
        const reply = await this.client.callTool('report', { times: REPORTS }, { meta: { progressToken: 'noise' } });
        const seen = reply.notifications.map(({ params }) => Number(params?.progress));
        this.reported.sent += seen.length;
        this.reported.dropped += REPORTS - seen.length;
        if (seen.at(-1) !== REPORTS) this.strange.push(`the last report was ${seen.at(-1)}: ${reply.raw.slice(-200)}`);
      }),
    );
  }
}
