// Runs the official suite's command line against a server and reads what it wrote down.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const HOOK = new URL('./register-node-20-hook.mjs', import.meta.url).href;
const SPEC_VERSION = '2026-07-28';
/** `server-<scenario>-<timestamp>` */
const FOLDER = /^server-(.+?)-\d{4}-\d{2}-\d{2}T/;

/** @typedef {{ id: string, status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO', errorMessage?: string }} Check */

/**
 * @typedef {object} ScenarioReport
 * @property {string} scenario
 * @property {Check[]} checks empty when the suite wrote none
 */

/**
 * Runs the suite once, at this revision unless `args` name the requirements of another.
 * @param {string} url the server's
 * @param {string[]} args which scenarios
 * @returns {Promise<{ exitCode: number, output: string, reports: ScenarioReport[] }>}
 */
export async function runSuite(url, args) {
  const folder = await mkdtemp(join(tmpdir(), 'mocapi-conformance-'));
  try {
    const revision = args.includes('--requirements') ? [] : ['--spec-version', SPEC_VERSION];
    const command = ['server', '--url', url, ...revision, '-o', folder, ...args];
    const child = spawn(process.execPath, ['--import', HOOK, SUITE, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const [exitCode] = await once(child, 'close');
    return { exitCode: exitCode ?? 1, output, reports: await readReports(folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @returns {Promise<ScenarioReport[]>} */
async function readReports(folder) {
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name) => ({
      scenario: FOLDER.exec(name)?.[1] ?? name,
      checks: JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')),
    })),
  );
}
