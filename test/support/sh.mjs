import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a line in a shell, as a person would who pastes it, and gives what it printed. @param {string} line @returns {Promise<string>} */
export async function sh(line) {
  return (await run('sh', ['-c', line])).stdout;
}
