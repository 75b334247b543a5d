import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@mocapi/redis-harness';

/** A Sentinel that watches one primary, calls it down after half a second of silence, and then promotes its replica. */
export interface RunningSentinel {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Starts a Sentinel for the primary on `port` of the loopback interface, under the name `main`. */
export async function startSentinel(primaryPort: number): Promise<RunningSentinel> {
  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), 'mocapi-sentinel-'));
  // Sentinel writes what it learns into its file.
  const file = join(dir, 'sentinel.conf');
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    `sentinel monitor main 127.0.0.1 ${primaryPort} 1`,
    'sentinel down-after-milliseconds main 500',
    'sentinel failover-timeout main 5000',
  ];
  await writeFile(file, `${settings.join('\n')}\n`);
  const child = spawn(process.env['REDIS_SERVER_BIN'] ?? 'redis-server', [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The sentinel ended with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Sentinel ID')) resolve();
    });
  });
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    const ended = once(child, 'exit');
    kill();
    await ended;
    await rm(dir, { recursive: true, force: true });
  };
  return { port, stop };
}
