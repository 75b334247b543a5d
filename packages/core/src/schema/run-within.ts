import vm from 'node:vm';
import { isRecord } from '../protocol/json.js';

/** The issue for a value whose check was stopped. */
export const TOO_LONG = { path: '', message: 'takes too long to check: it might fit in too many ways' };

/** The code was stopped: it held the process longer than it may. */
export class OutOfTime extends Error {}

// Only V8 itself can stop a regular expression that backtracks, and `vm` is how Node lets it. Nothing of the context is used but that.
let frame: { readonly context: { run?: () => unknown }; readonly script: vm.Script } | undefined;

/**
 * Runs `work` to its end, or stops it after `ms` of wall clock. A thread that watches costs about a tenth of a millisecond. What is stopped
 * runs no `catch` and no `finally`; what `work` only begins (a promise) is not watched.
 * @throws OutOfTime if it was stopped; else what `work` throws, as it was
 */
export function runWithin<T>(ms: number, work: () => T): T {
  frame ??= { context: vm.createContext({}), script: new vm.Script('run()') };
  frame.context.run = work;
  try {
    return frame.script.runInContext(frame.context, { timeout: ms, displayErrors: false });
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new OutOfTime(`stopped after ${ms} ms`);
    throw error;
  } finally {
    delete frame.context.run;
  }
}

const MAX_STALLS = 6;

/** Work that had this part of its time from the processor was not stalled: an honest check needs a hundredth. More than this would double its cost. */
const ENOUGH = 0.5;

/**
 * As `runWithin`, but counts what the processor did. If the process did not get the processor (a throttled container, a busy machine),
 * `work` starts again with twice the time. It must tolerate being stopped and run again.
 */
export function computeWithin<T>(ms: number, work: () => T): T {
  let spent = 0;
  for (let stalls = 0; ; stalls++) {
    const before = cpuMs();
    try {
      return runWithin(ms * 2 ** stalls, work);
    } catch (error) {
      spent += cpuMs() - before;
      if (!(error instanceof OutOfTime) || spent >= ms * ENOUGH || stalls >= MAX_STALLS) throw error;
    }
  }
}

/** Processor time of this thread, in ms; before Node 22.19, that of the whole process with its compiler and collector threads. */
function cpuMs(): number {
  const { user, system } = ofThread ? ofThread.call(process) : process.cpuUsage();
  return (user + system) / 1_000;
}

const ofThread = (process as { threadCpuUsage?: (this: NodeJS.Process) => NodeJS.CpuUsage }).threadCpuUsage;
