import { fork } from 'node:child_process';
import { join } from 'node:path';
import { formatExecError, formatResultsErrors } from 'jest-message-util';

const TOOLS = join(import.meta.dirname, '..');
const EXEC_ARGV = [
  '--conditions=@mocapi/source',
  '--disable-warning=ExperimentalWarning',
  '--import',
  join(TOOLS, 'register.mjs'),
  '--import',
  join(import.meta.dirname, 'register.mjs'),
];
const WORKER = join(import.meta.dirname, 'worker.mjs');
// A worker that holds more than this begins again as a new process before its next file.
const MAX_RSS_BYTES = 1.2 * 2 ** 30;
// Tests have time limits of their own. A file that takes longer than this stands in a loop.
const FILE_LIMIT_MS = 5 * 60_000;
// A file that counts what the whole process holds (sockets, timers) has a process of its own: clients of earlier files may still be closing.
const ALONE = /\.alone\./;

/** Runs test files in child processes, one process for each id, and turns their outcomes into Jest's results. */
export class TestFiles {
  #options;
  #workers = new Map();

  /** @param {{ testNamePattern: string | undefined, testTimeout: number | undefined }} options */
  constructor(options) {
    this.#options = options;
  }

  /** Runs a file in the worker of that id. Rejects when the process ends or the file hangs. */
  async run(id, test) {
    const isAlone = ALONE.test(test.path);
    if (isAlone && this.#workers.has(id)) this.#end(id);
    const worker = this.#workers.get(id) ?? this.#start(id);
    const outcome = await outcomeOf(worker, { path: test.path, ...this.#options }).catch((error) => {
      this.#end(id);
      throw error;
    });
    if (isAlone || outcome.rss > MAX_RSS_BYTES) this.#end(id);
    if (outcome.loadError) throw outcome.loadError;
    return resultOf(outcome, test);
  }

  /** Ends all workers. */
  end() {
    for (const id of this.#workers.keys()) this.#end(id);
  }

  #start(id) {
    const worker = fork(WORKER, {
      execArgv: EXEC_ARGV,
      env: { ...process.env, NODE_ENV: 'test', JEST_WORKER_ID: String(id) },
      serialization: 'advanced',
    });
    worker.setMaxListeners(0);
    this.#workers.set(id, worker);
    return worker;
  }

  #end(id) {
    const worker = this.#workers.get(id);
    this.#workers.delete(id);
    // The worker ends by itself then, with what it set up for its end ("exit" listeners), or is killed.
    if (!worker.connected) return;
    worker.disconnect();
    const kill = setTimeout(() => worker.kill('SIGKILL'), 2000);
    worker.once('exit', () => clearTimeout(kill));
  }
}

function outcomeOf(worker, request) {
  return new Promise((resolve, reject) => {
    const settle = (go) => (value) => {
      clearTimeout(limit);
      worker.off('message', onMessage);
      worker.off('exit', onExit);
      go(value);
    };
    const onMessage = settle(resolve);
    const onExit = settle((code) => reject(new Error(`The process that ran ${request.path} ended with ${code}`)));
    const limit = setTimeout(
      settle(() => reject(new Error(`${request.path} took longer than ${FILE_LIMIT_MS / 60_000} minutes`))),
      FILE_LIMIT_MS,
    );
    worker.once('message', onMessage);
    worker.once('exit', onExit);
    worker.send(request);
  });
}

/** Jest's result of a file. */
function resultOf({ start, end, testResults, unhandledErrors }, { path, context: { config } }) {
  const count = (status) => testResults.filter((test) => test.status === status).length;
  const stack = unhandledErrors.join('\n');
  const failureMessage = formatResultsErrors(testResults, config, {}, path);
  const execMessage = stack ? formatExecError({ message: '', stack }, config, {}, path) : '';
  return {
    leaks: false,
    openHandles: [],
    skipped: false,
    coverage: undefined,
    console: undefined,
    displayName: config.displayName,
    failureMessage: failureMessage || execMessage ? `${failureMessage ?? ''}${execMessage}` : null,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    perfStats: {
      start,
      end,
      runtime: end - start,
      slow: (end - start) / 1000 > config.slowTestThreshold,
      loadTestEnvironmentStart: start,
      loadTestEnvironmentEnd: start,
      setupFilesStart: start,
      setupFilesEnd: start,
    },
    snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
    testExecError: stack ? { message: '', stack } : undefined,
    testFilePath: path,
    testResults,
  };
}
