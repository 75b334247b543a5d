import vm from 'node:vm';
import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';

const QUESTION = { message: 'Who?', schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } };
/** Jest gives tests a copy of `process`, on which the events of the real one never fire. */
const realProcess = vm.runInThisContext('process') as NodeJS.Process;
/** Far more than a framework should let a body spin, and far less than a test can bear. */
const SPINS = 100_000;

@Injectable()
class Tools {
  spins = 0;

  @McpTool({ description: 'Asks through a helper whose promise it awaits later' })
  async later(@McpContext() ctx: McpToolContext): Promise<string> {
    const answer = this.ask(ctx);
    await pause(30);
    return answer;
  }

  @McpTool({ description: 'Asks until it is answered' })
  async insists(@McpContext() ctx: McpToolContext): Promise<string> {
    for (this.spins = 1; this.spins < SPINS; this.spins++) {
      try {
        return (await ctx.elicit('name', QUESTION)).action;
      } catch {
        // And once more.
      }
    }
    return 'gave up by itself';
  }

  @McpTool({ description: 'Reports progress against a total that is no number' })
  async reports(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.progress(1, Number.NaN);
    return 'done';
  }

  @McpTool({ description: 'Asks under a key that no message may hold' })
  async unanswerable(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.elicit('__proto__', QUESTION)).action;
  }

  private async ask(ctx: McpToolContext): Promise<string> {
    return (await ctx.elicit('name', QUESTION)).action;
  }
}

describe('a handler written carelessly', () => {
  let testing: McpTestingApp;
  const unhandled: unknown[] = [];
  const note = (reason: unknown): unknown => unhandled.push(reason);

  beforeAll(async () => {
    realProcess.on('unhandledRejection', note);
    testing = await createMcpTestingApp({ providers: [Tools] });
  });

  afterAll(async () => {
    await testing.close();
    realProcess.off('unhandledRejection', note);
  });

  it('does not end the process when it awaits an async helper that asks only after other work', async () => {
    const { result } = await testing.client().callTool('later');
    await pause(20);

    expect(result?.resultType).toBe('input_required');
    expect(unhandled).toEqual([]);
  });

  it('is given up when it insists on asking a client that cannot be asked', async () => {
    const { error } = await testing.client({ capabilities: {} }).callTool('insists');

    expect(error?.code).toBe(-32_021);
    expect(testing.app.get(Tools).spins).toBeLessThan(SPINS);
  });

  it('sends no progress that the protocol does not know', async () => {
    const { raw } = await testing.client().callTool('reports', {}, { meta: { progressToken: 1 } });

    expect(raw).not.toContain('"total":null');
  });

  it('cannot ask under a key that no client could answer', async () => {
    const { result } = await testing.client().callTool('unanswerable');

    expect(result?.resultType).toBe('complete');
    expect(result?.isError).toBe(true);
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
