// Starts one of the apps as a process of its own, from its sources, as `npm start` does, and follows it to its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const LISTENING = /^listening on (\S+)$/m;
const ANY_FREE_PORT = { PORT: '0', HOST: '127.0.0.1' };

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending */

/**
 * @typedef {object} Followed
 * @property {Promise<string>} listening where it listens, once it says so; rejects if it ends before
 * @property {Promise<Ending>} ended
 * @property {() => string} output what it has printed so far, both streams
 * @property {(signal?: NodeJS.Signals) => Promise<Ending>} stop sends the signal, unless it has ended, and waits for the end
 */

/** @typedef {Omit<Followed, 'listening'> & { url: string }} ServerProcess */

/**
 * Runs an app's main file on a free port and waits until it listens.
 * @param {string} main such as `apps/demo/src/main.ts`
 * @returns {Promise<ServerProcess>}
 */
export function startServer(main) {
  return up(spawnServer(main, ANY_FREE_PORT));
}

/**
 * Runs one of the repository's npm scripts on a free port and waits until it listens. Signals go to npm.
 * @param {string} script such as `start`
 * @param {{ args?: readonly string[], env?: Record<string, string> }} [more] arguments of the script, and of its environment
 * @returns {Promise<ServerProcess>}
 */
export function startNpmScript(script, more) {
  return up(spawnNpmScript(script, more));
}

/**
 * Runs one of the repository's npm scripts without waiting: for those that are not to listen, or not to come up.
 * @param {string} script
 * @param {{ args?: readonly string[], env?: Record<string, string> }} [more] arguments of the script, and of its environment
 */
export function spawnNpmScript(script, { args = [], env = {} } = {}) {
  return follow('npm', { args: ['run', '--silent', script, '--', ...args], env: { ...ANY_FREE_PORT, ...env } });
}

/**
 * Runs an app's main file without waiting: for those that are not to come up.
 * @param {string} main
 * @param {Record<string, string>} env beside that of this process
 */
export function spawnServer(main, env) {
  return follow(process.execPath, { args: ['--conditions=@mocapi/source', '--import', './tools/register.mjs', main], env });
}

/** @param {Followed} server @returns {Promise<ServerProcess>} */
async function up({ listening, ...server }) {
  return { ...server, url: await listening };
}

/**
 * @param {string} command
 * @param {{ args: readonly string[], env: Record<string, string> }} how
 * @returns {Followed}
 */
function follow(command, { args, env }) {
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
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
    void ended.then(({ code }) => reject(new Error(`${command} ${args.join(' ')} ended with ${code} before it listened:\n${printed}`)));
  });
  // Whoever expects it to fail waits for the end alone.
  listening.catch(() => undefined);
  return {
    listening,
    ended,
    output: () => printed,
    stop: (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}
