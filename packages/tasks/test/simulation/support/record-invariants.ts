import { deadlineOf, isTerminal, type TaskRecord } from '@mocapi/tasks';
import { hasWireFaults, type Commit } from './history.js';
import { ofEachTask, type Invariant } from './invariant.js';
import type { Run } from './run.js';

/** What is read from the records that a task went through. */
export const recordInvariants: readonly Invariant[] = [
  ofEachTask('I3', 'a task ends once', function* ({ records }) {
    const ends = new Set(records.map(({ status }) => status).filter(isTerminal));
    if (ends.size > 1) yield `ended ${[...ends].join(' and ')}`;
  }),
  ofEachTask('I4', 'nothing changes in a task that has ended', function* ({ commits }) {
    for (const { at, by, before, after } of commits) {
      if (before && after && isTerminal(before.status)) yield `${by} wrote to it at ${at}, when it was ${before.status}`;
    }
  }),
  ofEachTask(
    'I6',
    'each run has a greater fence than all before, and what is not the run of a task changes nothing of it',
    function* (task, run) {
      let fence = 0;
      for (const { record } of task.runs) {
        if (record.run!.fence <= fence) yield `fence ${record.run!.fence} came after ${fence}`;
        if (record.run!.fence !== record.version) yield `fence ${record.run!.fence} was given by version ${record.version}`;
        fence = record.run!.fence;
      }
      for (const commit of task.commits) yield* strangeWrite(commit, run);
    },
  ),
  ofEachTask('I7', 'a question that was answered is never asked again, and its answer stays', function* ({ records }) {
    const answers = new Map<string, string>();
    for (const { version, ledger, inputRequests } of records) {
      for (const [key, answer] of answers) {
        if (inputRequests && Object.hasOwn(inputRequests, key)) yield `version ${version} asks "${key}" again`;
        const entry = ledger.find((each) => each.key === key);
        if (!entry || JSON.stringify(entry) !== answer) yield `version ${version} lost or changed what "${key}" held`;
      }
      for (const entry of ledger) if (entry.answered) answers.set(entry.key, JSON.stringify(entry));
    }
  }),
  ofEachTask('I10', 'each change adds exactly 1 to the version', function* ({ commits }) {
    for (const { before, after } of commits) {
      const expected = (before?.version ?? 0) + 1;
      if (after && after.version !== expected) yield `version ${after.version} where ${expected} was due`;
    }
  }),
  ofEachTask('I11', 'nothing is written to a task whose time is over', function* ({ commits }) {
    for (const { at, before } of commits) {
      if (before && at > (deadlineOf(before) ?? Infinity)) yield `written at ${at}, after ${deadlineOf(before)}`;
    }
  }),
  {
    id: 'I11',
    promise: 'a task is found exactly while it is alive',
    *violations({ history }) {
      for (const { at, found, isAlive } of history.looks) {
        if (found !== isAlive) yield `at ${at} a task that is ${isAlive ? 'alive' : 'gone'} was ${found ? '' : 'not '}found`;
      }
    },
  },
];

/** A write to a task at work is its owner's own, a cancel, or takes the task from an owner that others may take for dead. */
function* strangeWrite(commit: Commit, run: Run): Iterable<string> {
  const { at, by, before, after } = commit;
  if (before?.status !== 'working' || !before.run || !after || after.status === 'cancelled') return;
  const owner = run.history.lifeOf(before.run.owner)?.node;
  const isClaim = after.run !== undefined && after.run.id !== before.run.id;
  if (isClaim || (isInterruption(after) && by !== owner)) yield* earlyTakeover(commit, run);
  else if (by !== owner) yield `${by} wrote version ${after.version} at ${at}, in the run of ${owner}`;
}

function* earlyTakeover({ at, by, before }: Commit, { history }: Run): Iterable<string> {
  const owner = history.lifeOf(before!.run!.owner);
  const hasFailed =
    owner && (Math.min(owner.diedAt ?? Infinity, owner.leavesAt ?? Infinity) <= at || owner.pauses.some(({ from }) => from <= at));
  if (!hasFailed && !hasWireFaults(history)) yield `${by} took it at ${at} from ${owner?.node}, which lived`;
}

function isInterruption({ status, error }: TaskRecord): boolean {
  return status === 'failed' && (error?.message.startsWith('Task interrupted') ?? false);
}
