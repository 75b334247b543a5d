import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redisUrl } from '@mocapi/redis-harness';
import { McpTasksModule, TaskStore } from '@mocapi/tasks';
import { McpTasksRedisModule, RedisTaskStore, type McpTasksRedisModuleOptions } from '@mocapi/tasks-redis';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { AppModule, cluster, encrypted, sentinel, withClient } from '../../docs/guides/code/redis/app.module.js';
import { fencesOf, ROOT } from './markdown.js';

const GUIDE = 'docs/guides/redis.md';
const KEY = Buffer.alloc(32, 7).toString('base64');

const opened: McpTestingApp[] = [];
const before = { ...process.env };
beforeEach(() => {
  Object.assign(process.env, { REDIS_URL: redisUrl(), REDIS_PASSWORD: 'x', TASK_KEY_2026_11: KEY, TASK_KEY_2026_05: KEY });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((testing) => testing.close()));
  process.env = { ...before };
});

async function boot(options: Parameters<typeof createMcpTestingApp>[0]): Promise<McpTestingApp> {
  const testing = await createMcpTestingApp(options);
  opened.push(testing);
  return testing;
}

const storeOf = (testing: McpTestingApp): TaskStore => testing.app.get(TaskStore, { strict: false });

describe('the code of "Redis"', () => {
  it('keeps tasks in the Redis of the environment', async () => {
    const testing = await boot({ module: AppModule });
    expect(storeOf(testing)).toBeInstanceOf(RedisTaskStore);
    expect(storeOf(testing).description).toMatch(/prefix mocapi:tasks:$/);
  });

  it('keeps them by a client of the application', async () => {
    const testing = await boot({ imports: [withClient, McpTasksModule.forRoot()] });
    expect(storeOf(testing).description).toMatch(/prefix video:tasks:$/);
  });

  it('keeps them encrypted', async () => {
    const testing = await boot({ imports: [McpTasksRedisModule.forRoot(encrypted), McpTasksModule.forRoot()] });
    expect(storeOf(testing).description).toMatch(/, encrypted$/);
  });

  it.each<[string, McpTasksRedisModuleOptions, RegExp]>([
    ['a cluster', cluster, /Redis can't be reached at the cluster at redis-1:6379, redis-2:6379/],
    ['sentinels', sentinel, /Redis can't be reached at "main" of the sentinels at sentinel-1:26379/],
  ])('looks for %s where it says', async (_what, options, problem) => {
    // Nobody is there. That the options are right shows in what the boot tried.
    const redis = McpTasksRedisModule.forRoot({ ...options, connectTimeout: 300 });
    await expect(boot({ imports: [redis, McpTasksModule.forRoot()] })).rejects.toThrow(problem);
  });
});

describe('the rights of "Redis"', () => {
  it.each(['tasks.acl', 'tasks-cluster.acl'])('are those of %s, under which the contracts of the store run', async (file) => {
    const [guide, rules] = await Promise.all([GUIDE, `docs/guides/code/redis/${file}`].map((path) => readFile(join(ROOT, path), 'utf8')));
    const told = fencesOf({ path: GUIDE, text: guide! }).filter(({ language }) => language === 'acl');
    expect(told.map(({ code }) => code)).toContain(rules!.trimEnd());
  });
});
