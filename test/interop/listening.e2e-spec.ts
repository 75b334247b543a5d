import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import { isTaskStatusNotificationV2, readAcceptedTaskIdsV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { McpTestClient } from '@mocapi/testing';
import { until } from '../support/flow.js';
import { startServer, type ServerProcess } from '../support/server-process.mjs';
import { connect } from './harness/official-client.js';

let server: ServerProcess;

beforeEach(async () => {
  server = await startServer('apps/conformance/src/main.ts');
}, 30_000);
afterEach(() => server.stop());

describe('the official client that listens', () => {
  let client: Client;
  let heard: string[];
  let subscription: McpSubscription;

  beforeEach(async () => {
    ({ client } = await connect(server.url));
    heard = [];
    client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
    client.setNotificationHandler('notifications/prompts/list_changed', () => void heard.push('prompts'));
    subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ['test://watched-resource'] });
  });
  afterEach(() => client.close());

  it('reads what is honoured, and hears what it asked for alone', async () => {
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true, resourceSubscriptions: ['test://watched-resource'] });
    await client.callTool({ name: 'test_trigger_prompt_change', arguments: {} });
    await client.callTool({ name: 'test_trigger_tool_change', arguments: {} });
    await until(() => heard.length > 0, 'a change was heard of');
    expect(heard).toEqual(['tools']);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('test_dynamic_tool');
    await subscription.close();
    expect(await subscription.closed).toBe('local');
  });

  it('takes the end of a server that shuts down for a graceful one', async () => {
    await server.stop();
    expect(await subscription.closed).toBe('graceful');
  });
});

describe('the official schemas of the Tasks extension', () => {
  it('take the acknowledgement and every push for theirs', async () => {
    const client = new McpTestClient(server.url).withTasks();
    const { result } = await client.callTool('slow_compute', { seconds: 1, label: 'x' });
    const stream = await client.listen({ taskIds: [result!.taskId!] });
    await until(() => stream.messages.at(-1)?.params?.status === 'completed', 'the end of the task was pushed');
    const [acknowledgement, ...pushes] = stream.messages;
    expect(readAcceptedTaskIdsV2(acknowledgement!.params)).toEqual([result!.taskId]);
    expect(pushes.length).toBeGreaterThanOrEqual(2);
    expect(pushes.filter((push) => !isTaskStatusNotificationV2(push))).toEqual([]);
    await stream.close();
  });
});
