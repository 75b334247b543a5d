import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { deferred, turns, type Deferred } from '../support/flow.js';
import { failOnUnhandledRejections } from '../support/unhandled-rejections.js';

const QUESTION = { message: 'Who?', schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } };
/** Far more than a framework should let a body spin, and far less than a test can bear. */
const SPINS = 100_000;

@Injectable()
class Tools {
  spins = 0;

  @McpTool({ description: 'Asks through a helper whose promise it awaits later' })
  async later(@McpContext() ctx: McpToolContext): Promise<string> {
    const unwound = deferred();
    const answer = this.ask(ctx, unwound);
    await unwound.promise;
    // As long as it takes until a rejection counts as unhandled.
    await turns();
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

  private async ask(ctx: McpToolContext, unwound: Deferred): Promise<string> {
    try {
      return (await ctx.elicit('name', QUESTION)).action;
    } finally {
      unwound.resolve();
    }
  }
}

describe('a handler written carelessly', () => {
  failOnUnhandledRejections();

  let testing: McpTestingApp;

  beforeAll(async () => {
    testing = await createMcpTestingApp({ providers: [Tools] });
  });

  afterAll(() => testing.close());

  it('does not end the process when it awaits an async helper that asks only after other work', async () => {
    const { result } = await testing.client().callTool('later');

    expect(result?.resultType).toBe('input_required');
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
