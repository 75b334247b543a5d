import { McpTasksModule } from '@mocapi/tasks';
import { createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import { BuildTopic, Plugins, PriceList, Reports } from '../../docs/guides/code/subscriptions.js';

let testing: McpTestingApp;

beforeEach(async () => {
  testing = await createMcpTestingApp({ imports: [McpTasksModule.forRoot()], providers: [PriceList, Plugins, Reports, BuildTopic] });
});

afterEach(() => testing.close());

describe('the code of "Subscriptions"', () => {
  it('tells who watches the prices which one has changed', async () => {
    const stream = await testing.client().listen({ resourceSubscriptions: ['shop://prices'] });
    await stream.acknowledged();
    await testing.client().callTool('setPrice', { article: 'tea', price: 4 });
    expect((await stream.next()).params?.uri).toBe('shop://prices/tea');
    const { result } = await testing.client().request('resources/read', { uri: 'shop://prices/tea' });
    expect(result?.contents[0].text).toBe('4');
  });

  it('adds a tool and removes it', async () => {
    const plugins = testing.app.get(Plugins);
    const stream = await testing.client().listen({ toolsListChanged: true });
    await stream.acknowledged();
    await plugins.enable();
    expect((await stream.next()).method).toBe('notifications/tools/list_changed');
    const converted = await testing.client().callTool('convert', { amount: 10, to: 'EUR' });
    expect(converted.result?.structuredContent).toEqual({ amount: 9, currency: 'EUR' });
    expect([plugins.disable(), plugins.disable()]).toEqual([true, false]);
    expect((await testing.client().callTool('convert', { amount: 10, to: 'EUR' })).error?.code).toBe(-32602);
  });

  it('adds a task', async () => {
    await testing.app.get(Reports).add('sales', async () => 'up');
    const client = testing.client().withTasks();
    const { result } = await client.callTool('sales');
    expect(result).toMatchObject({ resultType: 'task', ttlMs: 7_200_000 });
    expect(await pollTask(client, result!.taskId!)).toMatchObject({ result: { content: [{ text: 'up' }] } });
  });

  it('tells of a build to who asked for its branch', async () => {
    const stream = await testing.client().listen({ 'example.com/build': 'main' });
    expect(await stream.acknowledged()).toEqual({ 'example.com/build': 'main' });
    testing.app.get(BuildTopic).built('other');
    testing.app.get(BuildTopic).built('main');
    expect(await stream.next()).toMatchObject({ method: 'notifications/example.com/build', params: { branch: 'main' } });
    const refused = await testing.client().listen({ 'example.com/build': 1 });
    await refused.ended;
    expect(refused.error?.code).toBe(-32602);
  });
});
