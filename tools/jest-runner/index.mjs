import { TestFiles } from './test-files.mjs';

/**
 * A runner for Jest (`runner` in jest.config.mjs). The files of a worker share its modules: Jest's own runner loads Nest, the protocol's packages and our
 * sources once for each of 300 files, which took more than half of a whole run. Modules are Node's own as well, so tests run on what users run on.
 * What a file leaves behind (a global, a patched prototype) is seen by the next one, so a file must clean up.
 * A file named `*.alone.spec.ts` gets a process of its own.
 */
export default class SharedModulesRunner {
  #globalConfig;

  constructor(globalConfig) {
    this.#globalConfig = globalConfig;
  }

  /** Called by Jest once for the files of a project. */
  async runTests(tests, watcher, ...callbacks) {
    const [onStart, onResult, onFailure] = callbacks;
    const { maxWorkers, testNamePattern, testTimeout } = this.#globalConfig;
    const files = new TestFiles({ testNamePattern, testTimeout });
    const queue = [...tests];
    const work = async (id) => {
      for (let test = queue.shift(); test !== undefined && !watcher.isInterrupted(); test = queue.shift()) {
        await onStart(test);
        await files.run(id, test).then(
          (result) => onResult(test, result),
          (error) => onFailure(test, { message: error.message, stack: error.stack }),
        );
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(maxWorkers, tests.length) }, (_, index) => work(index + 1)));
    } finally {
      files.end();
    }
  }
}
