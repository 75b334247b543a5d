import { deadlineOf, type TaskRun } from '@mocapi/tasks';
import { hasWireFaults } from './history.js';
import { ofEachTask, type Invariant } from './invariant.js';
import type { Run } from './run.js';
import { TWO_BEATS_MS } from './schedule.js';
import { executionsOf, factsOf, type TaskFacts } from './task-facts.js';

/** What the engine promises about attempts and their bodies. */
export const bodyInvariants: readonly Invariant[] = [
  ofEachTask(
    'B1',
    'a takeover counts as an attempt unless the run never began, was given up, or was tried among others, and there are no more than allowed',
    function* ({ runs }, { schedule }) {
      for (const { kind, before, record } of runs) {
        const { attempt } = record.run!;
        const dead = before?.run;
        const due = kind === 'takeover' && dead ? dead.attempt + (isHeldAgainst(dead) ? 1 : 0) : 1;
        if (attempt !== due) yield `version ${record.version} is attempt ${attempt}, not ${due}`;
        if (attempt > schedule.maxAttempts) yield `version ${record.version} is attempt ${attempt}`;
      }
    },
  ),
  ofEachTask('B2', 'a step that is recorded does not run again, unless its node stood still when it was', function* (task, run) {
    for (const { at, node, trigger, steps } of executionsOf(run, task.name)) {
      for (const key of steps) {
        const recorded = task.commits.find(({ after }) => after?.ledger.some((entry) => entry.key === key && entry.answered));
        if (!recorded || recorded.at >= at) continue;
        const stoodStill = run.history.lives.get(node)!.pauses.some(({ from, until }) => from <= recorded.at && recorded.at <= until);
        if (!stoodStill) yield `"${key}" ran again on ${node} by ${trigger} at ${at}`;
      }
    }
  }),
  ofEachTask('B3', 'a body is told to stop for a reason that is true', function* (task, run) {
    for (const { node, stopped } of executionsOf(run, task.name)) {
      if (stopped && !isTrue(stopped, node, { task, run })) yield `${node} was told "${String(stopped.reason)}" at ${stopped.at}`;
    }
  }),
  ofEachTask('B4', 'a task completes with the result of its own body', function* ({ name, records }) {
    const content = records.at(-1)?.result?.content[0];
    if (!records.at(-1)?.result?.isError && content && JSON.stringify(content) !== JSON.stringify({ type: 'text', text: name }))
      yield `completed with ${JSON.stringify(content)}`;
  }),
  ofEachTask('B6', 'a body whose task was taken over is told to stop with the next beat of its node', function* (task, run) {
    if (hasWireFaults(run.history)) return;
    for (const { kind, at: takenAt } of task.runs) {
      if (kind !== 'takeover') continue;
      for (const { at, node, stopped, endedAt } of executionsOf(run, task.name)) {
        const { diedAt = Infinity, leavesAt = Infinity, pauses } = run.history.lives.get(node)!;
        const due = Math.max(takenAt, ...pauses.map(({ until }) => until)) + TWO_BEATS_MS;
        const over = Math.min(stopped?.at ?? Infinity, endedAt ?? Infinity, diedAt, leavesAt);
        if (at < takenAt && over > due) yield `${node} still ran at ${due} what was taken over at ${takenAt}`;
      }
    }
  }),
  ofEachTask('B7', 'a task that only waited for a place is not failed as interrupted', function* (task, run) {
    for (const { before, after } of task.commits) {
      if (after?.error?.message === 'Task interrupted' && before?.run && onlyWaited(before.run, { task, run }))
        yield `version ${after.version} failed, and its body was never entered`;
    }
  }),
  ofEachTask('B8', 'a node takes over no more at once than it has places for', function* ({ runs }, run) {
    for (const one of runs) {
      if (one.kind !== 'takeover' || !one.record.run?.waiting) continue;
      const beside = factsOf(run)
        .flatMap((task) => task.runs)
        .filter(({ record, kind, by, at, before }) => {
          if (kind !== 'takeover' || by !== one.by || !record.run?.waiting || record.taskId === one.record.taskId) return false;
          return before?.run?.owner === one.before?.run?.owner && at >= one.at && at - one.at < TWO_BEATS_MS / 10;
        });
      if (beside.length > 0) yield `${one.by} took over ${beside.length + 1} at once, for which it had no place`;
    }
  }),
  {
    id: 'B5',
    promise: 'whatever goes wrong is answered as what it is',
    *violations({ history }) {
      yield* history.defects;
    },
  },
];

function isHeldAgainst({ released, waiting, probation, group = 1 }: TaskRun): boolean {
  return !released && !waiting && (probation === undefined || (probation === 'begun' && group === 1));
}

/** Whether all places of its node were taken when the run was begun, and nothing was written or entered for it since. */
function onlyWaited({ id, owner }: TaskRun, { task, run }: { task: TaskFacts; run: Run }): boolean {
  const began = task.runs.find(({ record }) => record.run!.id === id)!.at;
  const node = run.history.lifeOf(owner)?.node;
  const isEntered = executionsOf(run, task.name).some((execution) => execution.node === node && execution.enteredAt >= began);
  const hasItsTurn = task.commits.some(({ before, after }) => after?.run?.id === id && before?.run?.waiting && !after.run.waiting);
  const taken = run.history.executions.filter(
    ({ node: where, enteredAt, endedAt = Infinity, stopped }) => where === node && enteredAt < began && endedAt > began && !stopped,
  );
  return !isEntered && !hasItsTurn && taken.length >= run.schedule.places;
}

function isTrue({ reason, at }: { reason: unknown; at: number }, node: string, { task, run }: { task: TaskFacts; run: Run }): boolean {
  const last = task.commits.findLast((commit) => commit.at <= at)?.after;
  const life = run.history.lives.get(node)!;
  switch (reason) {
    case 'suspended':
    case 'ended':
    case 'disconnected':
      return true;
    case 'cancelled':
      return last?.status === 'cancelled';
    case 'expired':
      return !last || at > (deadlineOf(last) ?? Infinity);
    case 'shutdown':
      return life.leavesAt !== undefined && at >= life.leavesAt;
    case 'lease-lost':
      return !last?.run || !life.sessions.includes(last.run.owner) || life.pauses.length > 0 || hasWireFaults(run.history);
    default:
      return false;
  }
}
