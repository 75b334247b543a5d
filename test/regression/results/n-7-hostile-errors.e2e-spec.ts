import { McpContext, McpPrompt, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { turns } from '../../support/flow.js';
import { failOnUnhandledRejections } from '../../support/unhandled-rejections.js';

const fails = (): never => {
  throw new Error('do not touch');
};

/** Values that throw when they are looked at, as a Proxy of an ORM may, or an HTTP error whose response is such a value. */
const THROWN: Record<string, () => unknown> = {
  'a Proxy that throws at every touch': () => new Proxy({}, { get: fails, has: fails, getPrototypeOf: fails, ownKeys: fails }),
  'an HTTP error whose response throws': () => ({ getStatus: () => 409, getResponse: fails }),
  'an HTTP error whose status throws': () => ({ getStatus: fails, getResponse: () => ({ message: '' }) }),
  'an HTTP error whose response is such a Proxy': () => ({ getStatus: () => 409, getResponse: () => new Proxy({}, { get: fails }) }),
  'an error whose message and stack throw': () =>
    Object.defineProperties(new Error('x'), { message: { get: fails }, stack: { get: fails } }),
};

let thrown: () => unknown = fails;
let fired = 0;
const raise = (): never => {
  fired += 1;
  throw thrown();
};

@Injectable()
class Handlers {
  @McpTool({ description: 'x' })
  body(): never {
    return raise();
  }

  @McpTool({ description: 'x' })
  async step(@McpContext() ctx: McpToolContext): Promise<void> {
    await ctx.step('one', raise);
  }

  @McpTool({ description: 'x' })
  @McpTask({ required: true })
  background(): never {
    return raise();
  }

  @McpTool({ description: 'x' })
  @McpTask({ required: true })
  async backgroundStep(@McpContext() ctx: McpToolContext): Promise<void> {
    await ctx.step('one', raise);
  }

  @McpPrompt()
  prompt(): never {
    return raise();
  }
}

describe('N-7: what throws when it is looked at still ends its call', () => {
  failOnUnhandledRejections();

  let testing: McpTestingApp;
  beforeAll(async () => {
    testing = await createMcpTestingApp({ imports: [McpTasksModule.forRoot()], providers: [Handlers] });
  });
  beforeEach(() => (fired = 0));
  afterAll(() => testing.close());

  it.each(Object.entries(THROWN))('%s', async (_what, make) => {
    thrown = make;
    const client = testing.client().withTasks();
    const calls = await Promise.all([client.callTool('body'), client.callTool('step'), client.request('prompts/get', { name: 'prompt' })]);
    for (const { result, error } of calls) expect(result?.isError === true || error?.code === -32_603).toBe(true);
    for (const name of ['background', 'backgroundStep']) {
      const { result } = await client.callTool(name);
      const { status } = await pollTask(client, result!.taskId!);
      expect(['completed', 'failed']).toContain(status);
    }
    await turns();
    expect(fired).toBe(5);
  });
});
