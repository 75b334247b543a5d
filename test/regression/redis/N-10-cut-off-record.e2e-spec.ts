import { McpTool } from '@mocapi/core';
import { redisUrl, until } from '@mocapi/redis-harness';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { McpTasksRedisModule } from '@mocapi/tasks-redis';
import { createMcpTestingApp, pollTask } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  @McpTask()
  background(): string {
    return 'done';
  }
}

it('N-10: a record that was cut off is answered as an internal error, and not read for ever', async () => {
  const keyPrefix = `test:n10:${process.pid}:`;
  const testing = await createMcpTestingApp({
    imports: [McpTasksRedisModule.forRoot({ url: redisUrl(), keyPrefix }), McpTasksModule.forRoot()],
    providers: [Tools],
  });
  const redis = new Redis(redisUrl());
  try {
    const client = testing.client().withTasks();
    const taskId = (await client.callTool('background')).result!.taskId!;
    await pollTask(client, taskId);
    const names = await redis.keys(`${keyPrefix}*`);
    const name = names.find((key) => /:[\w-]{43}$/.test(key) && !key.includes(':acc:'))!;
    const text = (await redis.get(name))!;
    await redis.set(name, text.slice(0, text.indexOf('"toolName"')), 'KEEPTTL');
    // A record that was read a moment ago is answered without another look.
    await until('the cut is seen', async () => (await client.request('tasks/get', { taskId })).error !== undefined);
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const { error } = await client.request(method, { taskId });
      expect([method, error?.code]).toEqual([method, -32_603]);
    }
  } finally {
    await redis.quit();
    await testing.close();
  }
}, 15_000);
