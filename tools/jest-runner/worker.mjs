// Runs test files, one after the other, as its parent sends them.
import 'reflect-metadata';
import { pathToFileURL } from 'node:url';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { expect, restoreGlobals } from './globals.mjs';

process.on('message', (request) => void answer(request));
// The parent is gone, or needs this worker no more.
process.on('disconnect', () => process.exit());

async function answer({ path, testNamePattern, testTimeout }) {
  const start = Date.now();
  const outcome = await runFile(path, { testNamePattern, testTimeout }).catch((error) => ({
    loadError: { message: error?.message ?? String(error), stack: error?.stack },
  }));
  restoreGlobals();
  process.send({ start, end: Date.now(), rss: process.memoryUsage().rss, ...outcome });
}

addEventHandler((event) => {
  if (event.name !== 'test_done') return;
  // "expect.assertions" counts for each test.
  for (const { error } of expect.extractExpectedAssertionsErrors()) event.test.errors.push(error);
});

async function runFile(path, { testNamePattern, testTimeout }) {
  resetState();
  const state = getState();
  state.parentProcess = process;
  if (testNamePattern) state.testNamePattern = new RegExp(testNamePattern, 'i');
  if (testTimeout) state.testTimeout = testTimeout;
  expect.setState({ testPath: path, suppressedErrors: [] });
  const stopWatching = watchForErrors(state);
  try {
    await import(pathToFileURL(path).href);
    const { testResults, unhandledErrors } = await run();
    return { testResults: testResults.map(assertionResult), unhandledErrors };
  } finally {
    stopWatching();
  }
}

/** An error that nobody caught fails the test that runs, or the file. */
function watchForErrors(state) {
  const onError = (error) => {
    const test = state.currentlyRunningTest;
    if (test) test.errors.push(error);
    else state.unhandledErrors.push([error, new Error('asynchronous')]);
  };
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  return () => {
    process.off('uncaughtException', onError);
    process.off('unhandledRejection', onError);
  };
}

/** Jest's form of a test's result. */
function assertionResult(test) {
  const [, ...path] = test.testPath;
  const title = path.at(-1);
  const ancestorTitles = path.slice(0, -1);
  return {
    ancestorTitles,
    title,
    fullName: path.join(' '),
    status: statusOf(test),
    duration: test.duration,
    failureMessages: [...test.errors],
    failureDetails: [],
    invocations: test.invocations,
    numPassingAsserts: test.numPassingAsserts,
    retryReasons: [],
    location: test.location,
  };
}

function statusOf(test) {
  if (test.status === 'skip') return 'pending';
  if (test.status === 'todo') return 'todo';
  return test.errors.length > 0 ? 'failed' : 'passed';
}
