import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { request } from './stdio-harness.js';

const ROOT = join(import.meta.dirname, '../../../..');
const children: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** The example app as its client starts it, and every line of its stdout. */
class StdioServer {
  readonly child = spawn(process.execPath, ['--conditions=@mocapi/source', '--import', './tools/register.mjs', 'apps/stdio/src/main.ts'], {
    cwd: ROOT,
  });
  readonly ended = once(this.child, 'close').then(([code, signal]) => ({ code: code as number | null, signal: signal as string | null }));
  errors = '';
  private readonly lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();

  constructor() {
    children.push(this.child);
    this.child.stderr.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async message(): Promise<any> {
    const { value, done } = await this.lines.next();
    return done === true ? undefined : JSON.parse(value);
  }
}

const words = (id: number, text: string): object => request(id, 'tools/call', { name: 'words', arguments: { text } });

describe('a server that its client starts', () => {
  it('writes messages alone to stdout, whatever its tools and its logger print, and ends with its input', async () => {
    const server = new StdioServer();
    server.send(words(1, 'one two three'));
    expect(await server.message()).toMatchObject({ id: 1, result: { structuredContent: { words: 3 } } });
    server.child.stdin.end();
    expect(await server.message()).toBeUndefined();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    // From the logger, and from console.log in the tool.
    expect(server.errors.match(/counting/g)).toHaveLength(2);
    expect(server.errors).toContain('requestState.keys is not set');
  }, 30_000);

  it('runs a task that its client follows to the end', async () => {
    const server = new StdioServer();
    const extended = (id: number, method: string, params: object): any => {
      const message: any = request(id, method, params);
      message.params._meta['io.modelcontextprotocol/clientCapabilities'] = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
      return message;
    };
    server.send(extended(1, 'tools/call', { name: 'index', arguments: { files: 2 } }));
    const { result } = await server.message();
    expect(result).toMatchObject({ resultType: 'task', status: 'working' });
    let task: any;
    for (let id = 2; task?.status !== 'completed'; id++) {
      server.send(extended(id, 'tasks/get', { taskId: result.taskId }));
      task = (await server.message()).result;
    }
    expect(task.result.structuredContent).toEqual({ indexed: 2 });
  }, 30_000);

  it('answers what is open and ends cleanly when it is told to', async () => {
    const server = new StdioServer();
    server.send(request(1, 'tools/call', { name: 'index', arguments: { files: 100_000 }, _meta: {} }));
    server.send(words(2, 'ready'));
    expect(await server.message()).toMatchObject({ id: 2 });
    server.child.kill('SIGTERM');
    expect(await server.message()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Server is shutting down' } });
    expect(await server.ended).toEqual({ code: 0, signal: null });
  }, 30_000);
});
