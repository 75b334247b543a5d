import { randomBytes, randomUUID } from 'node:crypto';
import { callOf, httpRequestOf, TASKS, type McpRequest } from '@mocapi/demo';
import { redisUrl, until } from '@mocapi/redis-harness';
import { nodeSettings } from '../../apps/tasks-redis/src/node-settings.js';
import { sh } from '../support/sh.mjs';
import { spawnNpmScript, startNpmScript } from '../support/server-process.mjs';

const SCRIPT = 'start:redis';

type Node = Awaited<ReturnType<typeof startNpmScript>>;

function environment(more: Record<string, string> = {}): Record<string, string> {
  return { REDIS_URL: redisUrl(), KEY_PREFIX: `test:${randomUUID()}:`, ...more };
}

interface Result {
  readonly taskId: string;
  readonly status: string;
  readonly resultType: string;
  readonly requestState: string;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly result: { readonly structuredContent: unknown };
  readonly structuredContent: unknown;
}

async function send({ url }: Node, request: McpRequest): Promise<Result> {
  const response = await fetch(url, { method: 'POST', ...httpRequestOf(request) });
  const { result } = (await response.json()) as { result?: Result };
  if (!result) throw new Error(`${request.method} was refused with ${response.status}`);
  return result;
}

/** Can poll tasks and answer forms. */
const BOTH = { ...TASKS, elicitation: { form: {} } };

function ofTask(method: string, taskId: string, more: object = {}): McpRequest {
  return { method, name: taskId, params: { taskId, ...more }, clientCapabilities: BOTH };
}

async function pollUntil(node: Node, taskId: string, willDo: (task: Result) => boolean): Promise<Result> {
  let task: Result | undefined;
  await until('the task is that far', async () => willDo((task = await send(node, ofTask('tasks/get', taskId)))));
  return task!;
}

const accept = (content: object) => ({ action: 'accept', content });

describe('npm run start:redis', () => {
  it('prints who it is, how to make a key that nodes share, and lines that work when they are pasted into a shell, and ends cleanly when it is told to', async () => {
    const env = environment({ NODE_NAME: 'node-x', LEASE_MS: '2000' });
    const node = await startNpmScript(SCRIPT, { env });
    expect(node.output()).toContain(`node-x keeps its tasks in Redis at ${env['REDIS_URL']}, lease 2000 ms`);
    const [where, call, start] = node.output().match(/^curl .*$/gm) ?? [];
    expect(JSON.parse(await sh(where!))).toMatchObject({ result: { structuredContent: { node: 'node-x' } } });
    expect(JSON.parse(await sh(call!))).toMatchObject({ result: { structuredContent: { sum: 5 } } });
    const { result } = JSON.parse(await sh(start!)) as { result: Result };
    expect(result).toMatchObject({ resultType: 'task', status: 'working' });
    const look = /^TASK=….*$/m.exec(node.output())![0].replace('…', result.taskId);
    expect(JSON.parse(await sh(look))).toMatchObject({ result: { taskId: result.taskId } });
    const [, newKey] = /^Set the same key on all nodes: MCP_STATE_KEY=\$\((.+)\)$/m.exec(node.output())!;
    expect(nodeSettings({ MCP_STATE_KEY: (await sh(newKey!)).trim() }).stateKey).toHaveLength(44);
    expect(await node.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  }, 60_000);

  describe('on two nodes with the same MCP_STATE_KEY', () => {
    let a: Node;
    let b: Node;
    beforeAll(async () => {
      const env = environment({ MCP_STATE_KEY: randomBytes(32).toString('base64') });
      const start = (NODE_NAME: string) => startNpmScript(SCRIPT, { env: { ...env, NODE_NAME } });
      [a, b] = await Promise.all([start('a'), start('b')]);
    }, 60_000);
    afterAll(() => Promise.all([a.stop(), b.stop()]));

    it('lets one node ask, and another take the answers and finish, with its steps done once', async () => {
      const { taskId } = await send(a, { ...callOf('charge_then_ask', { amount: 10 }), clientCapabilities: BOTH });
      await pollUntil(a, taskId, ({ inputRequests }) => inputRequests?.['receipt'] !== undefined);
      await send(b, ofTask('tasks/update', taskId, { inputResponses: { receipt: accept({ wanted: true }) } }));
      await pollUntil(a, taskId, ({ inputRequests }) => inputRequests?.['rating'] !== undefined);
      await send(b, ofTask('tasks/update', taskId, { inputResponses: { rating: accept({ stars: 5 }) } }));
      const { result } = await pollUntil(a, taskId, ({ status }) => status === 'completed');
      expect(result.structuredContent).toMatchObject({ amount: 10, charges: 1, receipt: true, rating: 5 });
    }, 60_000);

    it('lets a call without tasks be asked on one and answered on the other', async () => {
      expect(a.output()).not.toContain('MCP_STATE_KEY');
      const call = { ...callOf('confirmed_report', { title: 'On two nodes' }), clientCapabilities: { elicitation: { form: {} } } };
      const asked = await send(a, call);
      expect(asked.resultType).toBe('input_required');
      const inputResponses = { confirm: accept({ ok: true }) };
      const answered = await send(b, { ...call, params: { ...call.params, inputResponses, requestState: asked.requestState } });
      expect(answered.structuredContent).toEqual({ title: 'On two nodes', status: 'written' });
    }, 60_000);
  });

  it('says how to fix all settings that are wrong, and fails', async () => {
    const node = spawnNpmScript(SCRIPT, { env: environment({ LEASE_MS: 'soon', MCP_STATE_KEY: 'secret', PORT: 'http' }) });
    expect(await node.ended).toEqual({ code: 1, signal: null });
    expect(node.output().trimEnd().split('\n')).toEqual([
      'LEASE_MS is "soon"; it must be a whole number of milliseconds from 100 to 86400000.',
      expect.stringMatching(/^MCP_STATE_KEY is not the base64 of 32 bytes\. Create one and set it on all nodes: node -p "/),
      'PORT is "http"; it must be a number from 0 to 65535.',
    ]);
  }, 60_000);

  it('says that its Redis is away, without the password, and fails', async () => {
    const node = spawnNpmScript(SCRIPT, { env: environment({ REDIS_URL: 'redis://user:s3cret@127.0.0.1:1' }) });
    expect(await node.ended).toEqual({ code: 1, signal: null });
    expect(node.output()).toContain('127.0.0.1:1');
    expect(node.output()).toMatch(/Redis can't be reached/);
    expect(node.output()).not.toMatch(/s3cret|^ {4}at /m);
  }, 60_000);
});
