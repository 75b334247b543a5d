import { McpError } from '@mocapi/core';
import { type TaskKey, taskKeyOf, type TaskStore } from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport } from '../support/fault.js';
import { isSound, judgeHistory, wordsOf } from './support/judge-history.js';
import { marked } from './support/marks.js';
import { freshPrefix, openStore } from './support/open-store.js';
import { refusalsOf, startServer } from './support/start-server.js';
import { StoreHistory } from './support/store-history.js';

/** Somebody else's data lies under the key of a task. */
export const wrongType: Fault = {
  id: 'F34',
  title: 'what is no task under the key of one is an error that tells a client nothing, and harms no other task',
  run: () => withCleanup(run),
};

async function run(cleanup: Cleanup): Promise<FaultReport> {
  const server = await startServer(cleanup);
  const prefix = freshPrefix();
  const store = await openStore(cleanup, server.url, { prefix });
  const admin = server.client();
  const history = new StoreHistory();
  const good = await history.create(store);
  const [text, list, junk] = [sampleDraft(), sampleDraft(), sampleDraft()];
  const keyOf = ({ principal, taskId }: typeof text) => taskKeyOf(principal, taskId);
  await admin.set(prefix + keyOf(text), 'somebody else');
  await admin.rpush(prefix + keyOf(list), 'somebody', 'else');
  await admin.hset(prefix + keyOf(junk), { v: '3', d: 'no {json', c: 'x', o: '1' });
  const errors: unknown[] = [];
  for (const draft of [text, list, junk]) errors.push(...(await errorsOf(store, keyOf(draft))));
  for (const draft of [text, list]) errors.push(await errorOf(store.create(draft)));
  const untold = errors.filter((error) => error instanceof Error && !(error instanceof McpError)).length;
  await history.write(store, { key: good.key, mark: 'on' }, (record) => marked(record, 'on'));
  const verdict = await judgeHistory(history, store);
  const isKept = (await admin.get(prefix + keyOf(text))) === 'somebody else' && (await admin.llen(prefix + keyOf(list))) === 2;
  return {
    injected: 'a string, a list and a hash of other content under the keys of tasks',
    fired: evidence(await refusalsOf(server, 'WRONGTYPE'), 'WRONGTYPE errors counted by Redis'),
    expected: `${errors.length} calls rejected with errors that are no client's, the other data as it was, the next task goes on`,
    seen: `${untold} so; the other data ${isKept ? 'as it was' : 'changed'}; ${wordsOf(verdict)}`,
    held: untold === errors.length && isKept && isSound(verdict) && verdict.acknowledged === 2,
  };
}

async function errorsOf(store: TaskStore, key: TaskKey): Promise<readonly unknown[]> {
  return [await errorOf(store.get(key)), await errorOf(store.update(key, (record) => marked(record, 'never')))];
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}
