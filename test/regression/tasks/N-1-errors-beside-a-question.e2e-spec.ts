import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { deferred, turns } from '../../support/flow.js';
import { realProcess } from '../../support/unhandled-rejections.js';

const QUESTION = { message: 'Who?', schema: z.object({ name: z.string() }) };

/** Values that throw when they are made a text, or are touched at all. */
const THROWN: Record<string, () => unknown> = {
  'an object without a prototype': () => Object.create(null) as object,
  'an object whose text throws': () => ({
    toString: () => {
      throw new Error('no text');
    },
  }),
  'a Proxy that throws at every touch': () =>
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('do not touch');
        },
      },
    ),
  'a symbol': () => Symbol('odd'),
};

let thrown: () => unknown = () => undefined;
let failed = 0;

@Injectable()
class Tools {
  @McpTool({ description: 'Lets go of work that fails while it cleans up after a question' })
  async letGo(@McpContext() ctx: McpToolContext): Promise<void> {
    const suspended = deferred();
    void this.work(suspended.promise);
    try {
      await ctx.elicit('name', QUESTION);
    } finally {
      suspended.resolve();
      // As long as it takes until a rejection counts as unhandled.
      await turns(5);
    }
  }

  private async work(suspended: Promise<void>): Promise<void> {
    await suspended;
    failed += 1;
    throw thrown();
  }
}

describe('N-1: what fails beside a question, and nobody awaits', () => {
  let testing: McpTestingApp;
  const seen: unknown[] = [];
  const listener = (reason: unknown): void => void seen.push(reason);

  beforeEach(async () => {
    failed = 0;
    seen.length = 0;
    realProcess.on('uncaughtException', listener);
    testing = await createMcpTestingApp({ providers: [Tools] });
  });
  afterEach(async () => {
    realProcess.off('uncaughtException', listener);
    await testing.close();
  });

  it.each(Object.entries(THROWN))('does not end the process: %s', async (_what, make) => {
    thrown = make;
    expect((await testing.client().callTool('letGo')).result?.resultType).toBe('input_required');
    await turns(5);
    expect([failed, seen]).toEqual([1, []]);
  });

  it('is warned of, with its stack, since it may be a failure of the application', async () => {
    thrown = () => new TypeError('the ledger is gone');
    await testing.client().callTool('letGo');
    await turns(5);
    expect(failed).toBe(1);
    const warnings = testing.logs.filter(({ level, message }) => level === 'warn' && message.includes('nothing awaits it'));
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings[0])).toMatch(/Tools\.letGo.*TypeError: the ledger is gone/s);
  });
});
