import { deadlineOf } from '@mocapi/tasks';
import { hasWireFaults, type Life } from './history.js';
import { ofEachTask, type Invariant } from './invariant.js';
import type { Run } from './run.js';
import { LEASE_MS, TWO_BEATS_MS } from './schedule.js';
import { executionsOf, type BegunRun, type TaskFacts } from './task-facts.js';

const TRIGGERS = ['call', 'update', 'takeover'] as const;
/** What messages and timers of a calm cluster may add. */
const SLACK_MS = 1500;

/** What is read from the runs that were begun, and from what is left. */
export const engineInvariants: readonly Invariant[] = [
  {
    id: 'I5',
    promise: 'what begins a run is executed at most once, and a set of answers begins one run',
    *violations(run, tasks) {
      for (const name of new Set(tasks.map((task) => task.name))) {
        // One that expired, and was made again by a creation that came late, has the same name.
        const runs = tasks.filter((task) => task.name === name).flatMap((task) => task.runs);
        for (const trigger of TRIGGERS) {
          const begun = runs.filter(({ kind }) => kind === trigger).length;
          const executed = executionsOf(run, name).filter((execution) => execution.trigger === trigger).length;
          if (executed > begun) yield `${name}: executed ${executed} times by ${trigger}, though ${begun} runs were begun so`;
        }
      }
    },
  },
  ofEachTask('I5', 'a task is resumed when its last question is answered, and not before', function* ({ runs }) {
    for (const { kind, record } of runs) {
      if (kind === 'update' && record.ledger.some(({ answered }) => !answered))
        yield `resumed by version ${record.version} with a question open`;
    }
  }),
  ofEachTask(
    'I8',
    'a task whose owner is gone finds another one within a lease and two beats, and all come to rest',
    function* (task, run) {
      const left = run.remains.tasks.find(({ taskId }) => taskId === task.taskId);
      if (left?.status === 'working') yield `is at work for ever, under ${run.history.lifeOf(left.run?.owner ?? '')?.node}`;
      for (const begun of task.runs) yield* orphaned(begun, task, run);
    },
  ),
  {
    id: 'I12',
    promise: 'in the end nothing is left: no timer, no watch, no place taken, no entry, no session, no record',
    *violations({ history, remains }) {
      for (const { node, left } of history.lives.values()) {
        // A body that does not heed its signal keeps its place until it ends.
        const bodies = history.executions.filter((execution) => execution.node === node && execution.endedAt === undefined).length;
        const busy = left && left.timers + left.watches + Math.max(0, left.load.running - bodies) + left.load.queued;
        if (busy) yield `${node} left ${JSON.stringify(left)} behind`;
      }
      if (remains.deadSessions.length > 0) yield `${remains.deadSessions.length} sessions of nodes that are gone stand in the index`;
      if (remains.entries > 0) yield `${remains.entries} tasks stand in the run index`;
      if (remains.records > 0) yield `${remains.records} records are held after their time`;
    },
  },
];

/** While nothing but nodes failed, and one that stood through it all was there to see. */
function* orphaned({ at, record }: BegunRun, { commits }: TaskFacts, { history, schedule }: Run): Iterable<string> {
  // Where places are scarce, what is taken over waits for one.
  if (schedule.places < schedule.tasks.length) return;
  if (hasWireFaults(history) || history.faults.has('clock jump')) return;
  const owner = history.lifeOf(record.run!.owner);
  const goneAt = owner?.diedAt ?? owner?.leftAt;
  if (goneAt === undefined) return;
  const from = Math.max(goneAt, at);
  const due = from + LEASE_MS + TWO_BEATS_MS + SLACK_MS;
  const isSeen = [...history.lives.values()].some((life) => stoodFrom(life, from, due));
  const isAlive = due <= (deadlineOf(record) ?? Infinity);
  const end = commits.find(({ before, after }) => before?.run?.id === record.run!.id && after?.run?.id !== record.run!.id);
  if (isSeen && isAlive && (end?.at ?? Infinity) > due) yield `${owner!.node} was gone at ${goneAt}, and nobody had taken it by ${due}`;
}

function stoodFrom({ from: bootedAt, diedAt = Infinity, leavesAt = Infinity, pauses }: Life, from: number, until: number): boolean {
  return bootedAt <= from && Math.min(diedAt, leavesAt) > until && pauses.every((pause) => pause.until < from || pause.from > until);
}
