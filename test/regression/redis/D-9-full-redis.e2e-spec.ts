import { Injectable } from '@nestjs/common';
import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { infoOf, type RedisServer, spawnRedisServer, until } from '@mocapi/redis-harness';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { McpTasksRedisModule } from '@mocapi/tasks-redis';
import { createMcpTestingApp, type McpTestClient, type McpTestingApp } from '@mocapi/testing';

@Injectable()
class Tools {
  @McpTool({ description: 'Runs until it is cancelled' })
  @McpTask()
  async forever(@McpContext() ctx: McpToolContext): Promise<string> {
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
    return 'stopped';
  }
}

let server: RedisServer;
let testing: McpTestingApp;
let client: McpTestClient;

beforeAll(async () => {
  server = await spawnRedisServer({ args: ['--maxmemory-policy', 'noeviction'] });
  testing = await createMcpTestingApp({
    imports: [McpTasksRedisModule.forRoot({ url: server.url, keyPrefix: 'p:' }), McpTasksModule.forRoot()],
    providers: [Tools],
  });
  client = testing.client().withTasks();
}, 30_000);

afterAll(async () => {
  await testing?.close();
  await server.stop();
});

describe('D-9: a Redis that is full', () => {
  it('takes what frees more than it needs: a task can be cancelled, and a node goes on beating', async () => {
    const { result } = await client.callTool('forever');
    const session = (await server.client().zrange('p:nodes', '0', '0'))[0]!;
    await server.client().config('SET', 'maxmemory', '1');
    const refused = await client.callTool('forever');
    expect(refused.error).toMatchObject({ code: -32603, data: { retryAfterMs: expect.any(Number) as number } });
    expect(refused.error?.message).not.toMatch(/too many tasks/i);
    const cancelled = await client.request('tasks/cancel', { taskId: result!.taskId! });
    expect(cancelled.error).toBeUndefined();
    const got = await client.request('tasks/get', { taskId: result!.taskId! });
    expect(got.result).toMatchObject({ status: 'cancelled' });
    const before = await server.client().zscore('p:nodes', session);
    const beats = async () => (await server.client().zscore('p:nodes', session)) !== before;
    await until('the node beats', beats, 12_000);
    const { size } = await infoOf(server.client(), 'errorstats');
    expect(size).toBeGreaterThan(0);
    await server.client().config('SET', 'maxmemory', '0');
  }, 30_000);
});
