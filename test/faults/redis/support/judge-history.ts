import { isTerminal, type TaskKey, type TaskRecord, type TaskStore } from '@mocapi/tasks';
import { until } from '@mocapi/redis-harness';
import { groupedBy } from '../../support/grouped-by.js';
import { marksOf } from './marks.js';
import type { StoreCall, StoreHistory } from './store-history.js';

/** What a history came to, held against what is stored in the end. */
export interface HistoryVerdict {
  /** Creations and writes whose callers were told that they had won. */
  readonly acknowledged: number;
  /** Those whose callers were told neither. */
  readonly unknown: number;
  /** Acknowledged, and not there in the end (I2). */
  readonly lost: readonly StoreCall[];
  /** There more than once. */
  readonly doubled: number;
  /** What else breaks an invariant, one line each. */
  readonly broken: readonly string[];
}

type Final = TaskRecord | undefined;

/**
 * Reads every task of the history and holds it against what callers were told. I2: what was acknowledged is there. I3 and I4: one end, and nothing after it.
 * I6: a write under an old fence has no effect. I10: each version is one write, and nobody saw two tasks in one version.
 */
export async function judgeHistory(history: StoreHistory, store: TaskStore): Promise<HistoryVerdict> {
  const byKey = groupedBy(history.calls, ({ key }) => key);
  const finals = new Map<TaskKey, Final>();
  const [first] = byKey.keys();
  // Its node may not have found its way back to Redis yet.
  if (first !== undefined) await until('the store answers', () => answers(store, first));
  await Promise.all([...byKey.keys()].map(async (key) => finals.set(key, await store.get(key))));
  const judged = [...byKey].map(([key, calls]) => judgeTask(calls, finals.get(key)));
  const changes = history.calls.filter(({ kind }) => kind !== 'read');
  return {
    acknowledged: changes.filter(({ told }) => told === 'won').length,
    unknown: changes.filter(({ told }) => told === 'unknown').length,
    lost: judged.flatMap(({ lost }) => lost),
    doubled: judged.reduce((sum, { doubled }) => sum + doubled, 0),
    broken: judged.flatMap(({ broken }) => broken),
  };
}

async function answers(store: TaskStore, key: TaskKey): Promise<boolean> {
  return store.get(key).then(
    () => true,
    () => false,
  );
}

/** Whether nothing was lost, doubled or broken. */
export function isSound({ lost, doubled, broken }: HistoryVerdict): boolean {
  return lost.length === 0 && doubled === 0 && broken.length === 0;
}

/** The verdict in a few words. */
export function wordsOf({ acknowledged, unknown, lost, doubled, broken }: HistoryVerdict): string {
  const rest = broken.length === 0 ? '' : `, ${broken.length} broken: ${broken.slice(0, 3).join('; ')}`;
  return `${acknowledged} acknowledged, ${unknown} unknown, ${lost.length} lost, ${doubled} doubled${rest}`;
}

function judgeTask(calls: readonly StoreCall[], final: Final): Pick<HistoryVerdict, 'lost' | 'doubled' | 'broken'> {
  const times = groupedBy(final ? marksOf(final) : [], ({ name }) => name);
  const isThere = ({ kind, mark }: StoreCall) => (kind === 'create' ? final !== undefined : times.has(mark));
  const changes = calls.filter(({ kind }) => kind !== 'read');
  const unwanted = changes.filter((call) => (call.told === 'lost' || call.told === 'refused') && isThere(call));
  return {
    lost: changes.filter((call) => call.told === 'won' && !isThere(call)),
    doubled: [...times.values()].filter(({ length }) => length > 1).length,
    broken: [
      ...unwanted.map(({ mark, told }) => `${mark || 'a creation'} was ${told}, and is there`),
      ...(final ? [...versions(final), ...fences(final), ...endings(calls, final), ...sightings(calls, final)] : []),
    ],
  };
}

function versions(final: TaskRecord): string[] {
  const gap = marksOf(final).find(({ version }, index) => version !== index + 2);
  const made = final.ledger.length + 1;
  if (gap !== undefined) return [`I10: ${gap.name} made version ${gap.version} out of turn`];
  return final.version === made ? [] : [`I10: version ${final.version} after ${made - 1} writes`];
}

/** A claim is marked `claim:…`, a write under the fence f `fence f:…`. */
function fences(final: TaskRecord): string[] {
  let fence = 1;
  return marksOf(final).flatMap(({ name, version }) => {
    if (name.startsWith('claim:')) fence = version;
    const own = /^fence (\d+):/.exec(name)?.[1];
    return own === undefined || Number(own) === fence ? [] : [`I6: ${name} was written under fence ${fence}`];
  });
}

function endings(calls: readonly StoreCall[], final: TaskRecord): string[] {
  const told = calls.flatMap(({ record }) => (record && isTerminal(record.status) ? [record] : []));
  const end = textOf(final);
  return told
    .filter((record) => textOf(record) !== end)
    .map((record) => `I3/I4: it was told as ${inShort(record)}, and is ${inShort(final)}`);
}

function sightings(calls: readonly StoreCall[], final: TaskRecord): string[] {
  const seen = new Map<number, string>();
  const records = [...calls.flatMap(({ record }) => (record ? [record] : [])), final];
  return records.flatMap((record) => {
    const now = inShort(record);
    const before = seen.get(record.version) ?? now;
    seen.set(record.version, before);
    return before === now ? [] : [`I10: one version was ${before}, and ${now}`];
  });
}

function inShort({ status, version, lastUpdatedAt, ledger }: TaskRecord): string {
  return `${status} in version ${version} at ${lastUpdatedAt} by ${ledger.at(-1)?.key ?? 'its creation'}`;
}

/** The same text for the same members, whatever their order. */
function textOf(record: TaskRecord): string {
  return JSON.stringify(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
