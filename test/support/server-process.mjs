// Starts one of the apps as a process of its own, from its sources, the way `npm start` does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const LISTENING = /^listening on (\S+)$/m;

/**
 * @typedef {object} ServerProcess
 * @property {string} url where it listens, as it said
 * @property {() => string} output what it has printed so far, both streams
 * @property {(signal?: NodeJS.Signals) => Promise<Ending>} stop sends the signal and waits for the end; after that it only waits
 */

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending */

/** The command that runs an app from its sources. @param {string} main @returns {string[]} */
export function sourceCommand(main) {
  return ['--conditions=@mocapi/source', '--import', './tools/register.mjs', main];
}

/**
 * Runs an app's main file on a free port and waits until it listens.
 * @param {string} main such as `apps/demo/src/main.ts`
 * @param {NodeJS.ProcessEnv} [env] beside that of this process
 * @returns {Promise<ServerProcess>}
 */
export async function startServer(main, env = {}) {
  const server = spawnServer(main, { PORT: '0', HOST: '127.0.0.1', ...env });
  const url = await server.listening;
  return { url, output: server.output, stop: server.stop };
}

/**
 * Runs an app's main file without waiting: for those that do not come up.
 * @param {string} main
 * @param {NodeJS.ProcessEnv} env
 */
export function spawnServer(main, env) {
  const child = spawn(process.execPath, sourceCommand(main), { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  /** @type {Promise<Ending>} */
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  /** @type {Promise<string>} */
  const listening = new Promise((resolve, reject) => {
    const read = (/** @type {Buffer} */ chunk) => {
      printed += chunk.toString();
      const url = LISTENING.exec(printed)?.[1];
      if (url) resolve(url);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(({ code }) => reject(new Error(`${main} ended with exit code ${code} before it listened:\n${printed}`)));
  });
  // Whoever expects the process to fail waits for `ended` alone.
  listening.catch(() => undefined);
  return {
    listening,
    ended,
    output: () => printed,
    stop: (/** @type {NodeJS.Signals} */ signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}
