import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { infoOf } from '@mocapi/redis-harness';
import { taskKeyOf } from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import type { WriterReport, WriterTask } from './fixture/writer.js';
import { freshPrefix, openStore } from './support/open-store.js';
import { startServer } from './support/start-server.js';

const ROOT = join(import.meta.dirname, '../../..');
const PROCESSES = 4;
const WRITERS = 4;
const WRITES = { short: 60, long: 500 } as const;
/** Far beyond what it takes, and within the time after which a write gives up. */
const SLOWEST_MS = 5000;

/** Sixteen writers in four processes change one task at the same time. */
export const manyWriters: Fault = {
  id: 'F43',
  title: 'of the changes that four processes make to one task none is lost, and each is a version of its own',
  // Four processes take their time to start.
  limitMs: { short: 60_000 },
  run: (scale) => withCleanup((cleanup) => run(scale, cleanup)),
};

async function run(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  const server = await startServer(cleanup);
  const prefix = freshPrefix();
  const store = await openStore(cleanup, server.url, { prefix });
  const draft = sampleDraft({ statusMessage: '0' });
  const key = taskKeyOf(draft.principal, draft.taskId);
  await store.create(draft);
  const task: WriterTask = { url: server.url, prefix, key, writers: WRITERS, writes: WRITES[scale] };
  const writers = await Promise.all(Array.from({ length: PROCESSES }, () => WriterProcess.start(cleanup, task)));
  const began = performance.now();
  const reports = await Promise.all(writers.map((writer) => writer.write()));
  const seconds = (performance.now() - began) / 1000;
  const final = await store.get(key);
  const tries = Number(/calls=(\d+)/.exec((await infoOf(server.client(), 'commandstats')).get('cmdstat_evalsha') ?? '')?.[1]);
  const versions = new Set(reports.flatMap((report) => report.versions));
  const writes = PROCESSES * WRITERS * WRITES[scale];
  const times = reports.flatMap(({ tookMs }) => tookMs).toSorted((one, other) => one - other);
  const slowest = Math.round(times.at(-1)!);
  const p99 = Math.round(times[Math.floor(times.length * 0.99)]!);
  const failed = reports.reduce((sum, report) => sum + report.failed, 0);
  return {
    injected: `${PROCESSES} processes of ${WRITERS} writers, ${writes} writes to one task`,
    fired: evidence(Math.max(0, tries - writes), `tries that met another's write, by the count of Redis`),
    expected: `${writes} acknowledged as so many versions, the last one stored, none slower than ${SLOWEST_MS} ms`,
    seen: `${versions.size} versions, ${failed} failed, version ${final?.version} stored, counted to ${final?.statusMessage}; ${Math.round(writes / seconds)}/s, p99 ${p99} ms, slowest ${slowest} ms`,
    held:
      versions.size === writes &&
      failed === 0 &&
      final?.version === writes + 1 &&
      final.statusMessage === String(writes) &&
      slowest <= SLOWEST_MS,
  };
}

class WriterProcess {
  private readonly lines: AsyncIterator<string>;

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    this.lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  /** There once it is ready to write. */
  static async start(cleanup: Cleanup, task: WriterTask): Promise<WriterProcess> {
    const args = ['--conditions=@mocapi/source', '--import', './tools/register.mjs', 'test/faults/redis/fixture/writer.ts'];
    const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, NODE_OPTIONS: '', WRITER: JSON.stringify(task) } });
    child.stderr.pipe(process.stderr);
    const ended = once(child, 'exit');
    cleanup.add(child, async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const writer = new WriterProcess(child);
    const first = await writer.line();
    if (first !== 'ready') throw new Error(`A writer said ${first}`);
    return writer;
  }

  async write(): Promise<WriterReport> {
    this.child.stdin.write('go\n');
    return JSON.parse(await this.line()) as WriterReport;
  }

  private async line(): Promise<string> {
    const { value, done } = await this.lines.next();
    if (done) throw new Error('A writer ended before its time');
    return value;
  }
}
