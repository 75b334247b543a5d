import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
const FIXTURE = join(import.meta.dirname, '../fixture');
const EXEC_ARGV = ['--conditions=@mocapi/source', '--import', './tools/register.mjs'];

/** Runs a file of the fixture, from its sources, as a process of its own that can be sent messages. */
export function spawnFixture(file: string): ChildProcess {
  return fork(join(FIXTURE, file), [], { cwd: ROOT, execArgv: EXEC_ARGV, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
}
