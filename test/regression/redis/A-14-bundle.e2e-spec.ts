import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { redisUrl } from '@mocapi/redis-harness';

const ROOT = join(import.meta.dirname, '../../..');

const APPLICATION = `
  import { openConnection, RedisTaskStore } from '@mocapi/tasks-redis';
  import { taskKeyOf } from '@mocapi/tasks';
  const url = process.argv[2];
  const quiet = { log() {}, warn() {} };
  const connection = await openConnection({ kind: 'url', url }, { connectTimeoutMs: 5000, commandTimeoutMs: 2000 }, quiet);
  const store = new RedisTaskStore(connection, { prefix: 'test:bundle:' + process.pid + ':' });
  const taskId = 'a'.repeat(43);
  await store.create({ taskId, toolName: 'sum', status: 'working', ttlMs: 60000, arguments: {}, ledger: [] });
  const task = await store.update(taskKeyOf(undefined, taskId), (record) => ({ ...record, statusMessage: 'stored' }));
  const session = await store.runIndex.join();
  const lives = await store.runIndex.beat(session);
  await store.runIndex.leave(session);
  await store.delete(taskKeyOf(undefined, taskId));
  await store.onApplicationShutdown();
  console.log([task.statusMessage, task.version, lives].join(' '));
`;

interface Esbuild {
  build(options: object): Promise<unknown>;
  stop(): Promise<void>;
}

/** What the application prints when it runs as one file, away from the packages that it was made of. */
async function runBundled(folder: string): Promise<string> {
  const esbuild = createRequire(import.meta.url)('esbuild') as Esbuild;
  const outfile = join(folder, 'app.mjs');
  await esbuild.build({
    stdin: { contents: APPLICATION, resolveDir: ROOT, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    conditions: ['@mocapi/source'],
    // As bundlers for Nest are set up: what npm installed stays outside, the workspace's own packages go in.
    external: ['@nestjs/*', '@modelcontextprotocol/*', 'ioredis', 'rxjs', 'reflect-metadata', 'class-*', 'ajv*', 'canonicalize'],
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
  await esbuild.stop();
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const ended = promisify(execFile)(process.execPath, ['--import', 'reflect-metadata', outfile, redisUrl()], { cwd: folder });
  return ended.then(
    ({ stdout }) => stdout.trim(),
    (error: { stderr: string }) => error.stderr,
  );
}

describe('A-14: tasks-redis works in a bundle', () => {
  it('an application that esbuild made one file of stores, changes and removes a task, and beats', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mocapi-bundle-'));
    try {
      expect(await runBundled(folder)).toBe('stored 2 true');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 30_000);
});
