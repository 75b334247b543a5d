import { randomBytes } from 'node:crypto';
import { redisUrl } from '@mocapi/redis-harness';
import { createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import { AppModule, Images } from '../../docs/guides/code/scaling/app.module.js';

describe('the nodes of the guide to scaling', () => {
  const nodes: McpTestingApp[] = [];
  beforeAll(async () => {
    process.env['REDIS_URL'] = redisUrl();
    process.env['MCP_STATE_KEY'] = randomBytes(32).toString('base64');
    for (let node = 0; node < 2; node++) nodes.push(await createMcpTestingApp({ module: AppModule }));
  }, 30_000);
  afterAll(() => Promise.all(nodes.map((node) => node.close())));

  it('share their tasks: what one runs, the other tells', async () => {
    const [one, other] = nodes as [McpTestingApp, McpTestingApp];
    const uris = ['a.png', 'b.png'];
    const { taskId } = (await one.client().withTasks().callTool('thumbnails', { uris })).result!;
    const task = await pollTask(other.client().withTasks(), taskId!);
    expect(task).toMatchObject({ status: 'completed', result: { structuredContent: { made: ['a.png?size=small', 'b.png?size=small'] } } });
    expect([one, other].map(({ app }) => app.get(Images).shrunk)).toEqual([2, 0]);
  }, 30_000);
});
