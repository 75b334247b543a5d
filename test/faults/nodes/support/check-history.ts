import { isTerminal } from '@mocapi/tasks';
import type { StoredTask } from './stored-tasks.js';
import type { Commit } from './write-history.js';

/**
 * What in a history breaks an invariant of the store and the engine; empty if nothing does.
 * I3: one terminal write a task. I4: none after it. I6: fences grow. I7: an answered question is never asked again under its key.
 * I10: versions grow by 1, and the last is what is stored.
 */
export function violationsIn(commits: readonly Commit[], stored: readonly StoredTask[]): string[] {
  const byKey = grouped(commits);
  const laws = [order, endings, fences, questions];
  const broken = [...byKey].flatMap(([key, writes]) => laws.flatMap((law) => law(writes)).map((what) => `${key}: ${what}`));
  const unlike = stored.flatMap(({ key, version }) => {
    const last = byKey.get(key)?.at(-1)?.version;
    return last === version ? [] : [`${key}: I10: version ${version} is stored, ${last} was written last`];
  });
  return [...broken, ...unlike];
}

function grouped(commits: readonly Commit[]): Map<string, Commit[]> {
  const byKey = new Map<string, Commit[]>();
  for (const commit of commits) {
    const writes = byKey.get(commit.key);
    if (writes) writes.push(commit);
    else byKey.set(commit.key, [commit]);
  }
  return byKey;
}

function order(writes: readonly Commit[]): string[] {
  return writes.flatMap(({ version }, index) => (version === index + 1 ? [] : [`I10: write ${index + 1} made version ${version}`]));
}

function endings(writes: readonly Commit[]): string[] {
  const end = writes.findIndex(({ record }) => isTerminal(record.status));
  const after = end === -1 ? [] : writes.slice(end + 1);
  return after.map(({ record }) => `I3/I4: ${record.status} was written after ${writes[end]!.record.status}`);
}

function fences(writes: readonly Commit[]): string[] {
  const runs = writes.flatMap(({ record }) => (record.run ? [record.run] : []));
  const begun = runs.filter((run, index) => run.id !== runs[index - 1]?.id);
  const seen = new Set(begun.map(({ id }) => id));
  const broken = begun.flatMap(({ fence }, index) => {
    const before = begun[index - 1]?.fence ?? 0;
    return fence > before ? [] : [`I6: fence ${fence} came after ${before}`];
  });
  return seen.size === begun.length ? broken : [...broken, 'I6: a run that had lost its task came back'];
}

function questions(writes: readonly Commit[]): string[] {
  const open = writes.map(({ record }) => Object.keys(record.inputRequests ?? {}));
  const asked = open.flatMap((keys, index) => keys.filter((key) => !open[index - 1]?.includes(key)));
  return asked.filter((key, index) => asked.indexOf(key) !== index).map((key) => `I7: "${key}" was asked again`);
}
