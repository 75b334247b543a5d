import type { Fault } from '../support/fault.js';
import { killBehindGuard } from './a11-kill-behind-guard.js';
import { twoDeaths } from './d01-two-deaths.js';
import { waitingTasks } from './d06-waiting-tasks.js';
import { ownElapsedTime } from './d07-own-elapsed-time.js';
import { killWorking } from './f01-kill-working.js';
import { restart } from './f02-restart.js';
import { killParked } from './f04-kill-parked.js';
import { killAfterCreate } from './f05-kill-after-create.js';
import { killAfterFlip } from './f06-kill-after-flip.js';
import { zombie } from './f07-zombie.js';
import { blockedLoop } from './f08-blocked-loop.js';
import { drain } from './f09-drain.js';
import { poison } from './f10-poison.js';
import { mixedVersions } from './f11-mixed-versions.js';
import { clockSkew } from './f12-clock-skew.js';
import { sameAnswer } from './f40-same-answer.js';
import { partialAnswers } from './f41-partial-answers.js';
import { cancelling } from './f42-cancel.js';
import { manyTasks } from './f44-many-tasks.js';
import { stalledListener } from './f47-stalled-listener.js';
import { manyListeners } from './f48-many-listeners.js';
import { pollStorm } from './f49-poll-storm.js';
import { taskFlood } from './f50-task-flood.js';
import { askHereAnswerThere } from './m3-ask-here-answer-there.js';
import { abruptRestarts, announcedRestarts } from './m5-rolling-restart.js';

/** Nodes that die. */
export const KILLS: readonly Fault[] = [
  ...killWorking,
  killBehindGuard,
  restart,
  killParked,
  killAfterCreate,
  killAfterFlip,
  poison,
  twoDeaths,
  waitingTasks,
  askHereAnswerThere,
];

/** Nodes that stand still, drain, and disagree about version and time. */
export const STATES: readonly Fault[] = [zombie, blockedLoop, drain, ...mixedVersions, clockSkew, ...ownElapsedTime, abruptRestarts];

/** Calls that meet on several nodes, and more of them than nodes can bear. */
export const LOAD: readonly Fault[] = [
  sameAnswer,
  partialAnswers,
  ...cancelling,
  manyTasks,
  stalledListener,
  manyListeners,
  pollStorm,
  taskFlood,
];

/** What may happen to the nodes above a store. Restarts that are announced are the gentler of their two forms, and stand here alone. */
export const NODE_FAULTS: readonly Fault[] = [...KILLS, ...STATES, announcedRestarts, ...LOAD];

/** They take long, bound a time that a busy machine exceeds, or stand beside one of their kind that `npm test` runs. */
const ALONE: ReadonlySet<Fault> = new Set([
  ...killWorking.slice(1),
  killBehindGuard,
  restart,
  killAfterCreate,
  poison,
  twoDeaths,
  waitingTasks,
  askHereAnswerThere,
  zombie,
  blockedLoop,
  ...mixedVersions.slice(1),
  clockSkew,
  ...ownElapsedTime,
  abruptRestarts,
  sameAnswer,
  manyTasks,
  stalledListener,
  manyListeners,
  pollStorm,
  taskFlood,
]);

/** Those of `faults` that `npm test` runs. `npm run test:faults` runs all. */
export function withinTestRun(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter((fault) => !ALONE.has(fault));
}
