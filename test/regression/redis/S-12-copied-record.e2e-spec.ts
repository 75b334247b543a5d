import { Injectable } from '@nestjs/common';
import { McpPrincipalSource, McpTool, type McpPrincipal } from '@mocapi/core';
import { redisUrl } from '@mocapi/redis-harness';
import { McpTask, McpTasksModule, taskKeyOf } from '@mocapi/tasks';
import { McpTasksRedisModule } from '@mocapi/tasks-redis';
import { createMcpTestingApp, pollTask } from '@mocapi/testing';
import { Redis } from 'ioredis';

class HeaderPrincipalSource extends McpPrincipalSource {
  resolve(request: { headers: Record<string, unknown> }): McpPrincipal | undefined {
    const user = request.headers['x-user'];
    return typeof user === 'string' ? { id: user } : undefined;
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'Tells a secret' })
  @McpTask()
  secret(): string {
    return 'the secret of Ann';
  }
}

describe('S-12: a record belongs to the caller who stands in it, wherever it is stored', () => {
  it("a task that was copied under another principal's key is not answered, not cancelled, and told to nobody", async () => {
    const keyPrefix = `test:s12:${process.pid}:`;
    const testing = await createMcpTestingApp({
      imports: [McpTasksRedisModule.forRoot({ url: redisUrl(), keyPrefix }), McpTasksModule.forRoot()],
      providers: [Tools],
      options: { providers: [{ provide: McpPrincipalSource, useClass: HeaderPrincipalSource }] },
    });
    const redis = new Redis(redisUrl());
    try {
      const [ann, bob] = ['ann', 'bob'].map((user) => testing.client({ headers: { 'x-user': user } }).withTasks());
      const taskId = (await ann!.callTool('secret')).result!.taskId!;
      await pollTask(ann!, taskId);
      const [own, foreign] = ['ann', 'bob'].map((id) => `${keyPrefix}${taskKeyOf({ id }, taskId)}`);
      expect(await redis.copy(own!, foreign!)).toBe(1);
      for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'] as const) {
        const reply = await bob!.request(method, { taskId, ...(method === 'tasks/update' ? { inputResponses: {} } : {}) });
        expect(reply.raw).not.toContain('secret of Ann');
        expect(reply.result).toBeUndefined();
        expect(reply.error?.code).toBe(-32603);
      }
      expect(testing.logs.some(({ message, details }) => /another/.test(`${message} ${details}`))).toBe(true);
      expect((await ann!.request('tasks/get', { taskId })).result).toMatchObject({ status: 'completed' });
    } finally {
      await testing.close();
      redis.disconnect();
    }
  });
});
