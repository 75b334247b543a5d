import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Injectable, type Type } from '@nestjs/common';
import { jest } from '@jest/globals';
import { McpContext, McpPrincipalSource, McpTool, type McpToolContext } from '@mocapi/core';
import { redisUrl } from '@mocapi/redis-harness';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { McpTasksRedisModule } from '@mocapi/tasks-redis';
import { createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import { NodesTokenGuard, TokenGuard, UserPrincipalSource } from '../../docs/guides/code/guards-and-identity.js';

// Two whole applications in a test.
jest.setTimeout(30_000);

const headers = { authorization: 'Bearer sesame' };

/** Of all nodes of a test. */
let began: AbortController;

@Injectable()
class WaitingTools {
  @McpTool({ description: 'Waits on the first node that runs it, and answers on the next' })
  @McpTask({ recover: 'replay' })
  async wait(@McpContext() ctx: McpToolContext): Promise<string> {
    if (began.signal.aborted) return `for ${ctx.principal?.id}`;
    began.abort();
    await once(ctx.signal, 'abort');
    throw ctx.signal.reason;
  }
}

function startNode(
  guard: Type<TokenGuard>,
  { keyPrefix, guardsOnTakeover }: { keyPrefix: string; guardsOnTakeover: 'run' | 'skip' },
): Promise<McpTestingApp> {
  return createMcpTestingApp({
    imports: [McpTasksModule.forRoot({ guardsOnTakeover }), McpTasksRedisModule.forRoot({ url: redisUrl(), keyPrefix })],
    providers: [WaitingTools],
    options: { guards: [guard], providers: [{ provide: McpPrincipalSource, useClass: UserPrincipalSource }] },
  });
}

describe('the guards of the guide, on two nodes', () => {
  it.each([
    ['skip', TokenGuard, { status: 'completed', result: { content: [{ text: 'for ali' }] } }],
    ['run', NodesTokenGuard, { status: 'completed', result: { content: [{ text: 'for ali' }] } }],
    ['run', TokenGuard, { status: 'failed', error: { code: 401, message: 'Unauthorized' } }],
  ] as const)('do with a task that is taken over what the guide says: %s, %p', async (guardsOnTakeover, guard, end) => {
    began = new AbortController();
    const settings = { keyPrefix: `guards-guide:${randomUUID()}:`, guardsOnTakeover };
    const [one, other] = await Promise.all([startNode(guard, settings), startNode(guard, settings)]);
    try {
      const inBody = once(began.signal, 'abort');
      const { taskId } = (await one.client({ headers }).withTasks().callTool('wait')).result!;
      await inBody;
      await one.close();
      expect((await other.client().withTasks().callTool('wait')).status).toBe(401);
      expect(await pollTask(other.client({ headers }).withTasks(), taskId!)).toMatchObject(end);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
});
