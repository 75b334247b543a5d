// What tests see as globals, or import from "@jest/globals".
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import * as circus from 'jest-circus';
import { ModuleMocker } from 'jest-mock';

const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {}, rootDir: process.cwd() }, global: globalThis });

const mocks = Object.fromEntries(
  ['fn', 'spyOn', 'isMockFunction', 'clearAllMocks', 'resetAllMocks', 'restoreAllMocks'].map((name) => [name, mocker[name].bind(mocker)]),
);

const clock = {
  useFakeTimers: (config) => timers.useFakeTimers(config),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  runAllTimers: () => timers.runAllTimers(),
  getTimerCount: () => timers.getTimerCount(),
  setSystemTime: (time) => timers.setSystemTime(time),
};

export const jest = { ...mocks, ...clock, setTimeout: (ms) => void (globalThis[TIMEOUT] = ms) };
export const expect = jestExpect;
export const { describe, it, test, beforeAll, beforeEach, afterAll, afterEach } = circus;

Object.assign(globalThis, { jest, expect, describe, it, test, beforeAll, beforeEach, afterAll, afterEach });

/** Undoes what a file may have left in the mocks and timers. */
export function restoreGlobals() {
  mocker.restoreAllMocks();
  timers.useRealTimers();
  delete globalThis[TIMEOUT];
}
