import { deadlineOf, isTerminal, type TaskRecord, toDetailedTask } from '@mocapi/tasks';
import type { Acknowledgement, Sighting } from './history.js';
import { ofEachTask, type Invariant } from './invariant.js';
import type { Run } from './run.js';
import type { TaskFacts } from './task-facts.js';

/** What is read from what clients were told. */
export const clientInvariants: readonly Invariant[] = [
  ofEachTask(
    'I1',
    'a task id is told after any node can read the task, which it then can as long as the task lives',
    function* (task, run) {
      for (const { at, what } of acknowledged(task, run)) {
        const isStored = task.commits.some((commit) => !commit.before && commit.at <= at);
        if (what === 'create' && !isStored) yield `told at ${at}, and not stored by then`;
      }
      for (const { at, node, task: seen } of sightings(task, run)) {
        if (!seen && livedAt(task, at)) yield `${node} did not know it at ${at}`;
      }
    },
  ),
  ofEachTask('I2', 'what was acknowledged is not lost: a task, an answer, a cancel', function* (task, run) {
    const told = acknowledged(task, run);
    const deletion = task.commits.find(({ after }) => !after);
    if (told.length > 0 && deletion) yield `deleted at ${deletion.at} by ${deletion.by}`;
    for (const { at, what, keys, record } of told) {
      if (!record || isTerminal(record.status)) continue;
      if (what === 'cancel') yield `is ${record.status} at ${at}, after a cancel was acknowledged`;
      const open = record.ledger.find(({ key, answered }) => keys.includes(key) && !answered);
      if (what === 'answer' && open) yield `"${open.key}" is open at ${at}, after its answer was acknowledged`;
    }
  }),
  {
    id: 'I9',
    promise: "what is told of another caller's task is what is told of one that never was",
    *violations({ history }) {
      for (const { foreign, unknown } of history.probes) if (foreign !== unknown) yield `${foreign} is not ${unknown}`;
    },
  },
  ofEachTask('I10', 'clients see states that are stored, streams in their order, and in the end the last one', function* (task, run) {
    const views = task.records.map((record) => JSON.stringify(toDetailedTask(record)));
    const reached = new Map<number, number>();
    const over = new Set<number>();
    for (const { at, node, task: seen, stream, commits } of sightings(task, run)) {
      if (!seen) continue;
      if (stream !== undefined && over.has(stream)) yield `${node} told at ${at} more to a stream that had heard that the task expired`;
      if (stream !== undefined && tellsExpiry(seen, { records: task.records.slice(reached.get(stream) ?? 0), at })) {
        over.add(stream);
        continue;
      }
      const index = views.indexOf(JSON.stringify(seen), stream === undefined ? 0 : (reached.get(stream) ?? 0));
      if (index === -1) yield `${node} told at ${at} what was not stored then, or had been told as past: ${JSON.stringify(seen)}`;
      else if (run.history.commits.indexOf(task.commits[index]!) >= commits) yield `${node} told version ${index + 1} early`;
      if (stream !== undefined) reached.set(stream, Math.max(index, 0));
    }
    for (const stream of run.history.openStreams) {
      if (stream.taskId === task.taskId && !stream.isCurrent) yield `stream ${stream.stream} never told the last state`;
    }
  }),
];

function acknowledged({ taskId }: TaskFacts, { history }: Run): readonly Acknowledgement[] {
  return history.acknowledgements.filter((each) => each.taskId === taskId);
}

function sightings({ taskId }: TaskFacts, { history }: Run): readonly Sighting[] {
  return history.sightings.filter((each) => each.taskId === taskId);
}

/** Whether `seen` is the one state that is told and never stored: that a task is over which had not ended by the last that this stream's node knew of it. */
function tellsExpiry(seen: object, { records, at }: { readonly records: readonly TaskRecord[]; readonly at: number }): boolean {
  const told = JSON.stringify(seen);
  return records.some((record) => JSON.stringify(expiryOf(record)) === told && at > (deadlineOf(record) ?? Infinity));
}

function expiryOf(record: TaskRecord): object | undefined {
  if (isTerminal(record.status)) return undefined;
  const message = 'Task expired';
  return toDetailedTask({ ...record, status: 'failed', error: { code: -32603, message }, statusMessage: message });
}

/** Whether the task was alive, by the records, at a time when an answer that it is not came in. */
function livedAt({ commits }: TaskFacts, at: number): boolean {
  const last = commits.findLast((commit) => commit.at <= at);
  const record = last?.after;
  return record !== undefined && (record.ttlMs === null || at <= record.createdAt + record.ttlMs);
}
