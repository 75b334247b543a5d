import type { ProxyFault, RedisProxy } from '@mocapi/redis-harness';
import { takenOver, type TaskKey, taskKeyOf, type TaskRecord, type TaskStore } from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { marked, marksOf } from './support/marks.js';
import { freshPrefix, openStore } from './support/open-store.js';
import { startProxy, startServer } from './support/start-server.js';

const ROUNDS = { short: 10, long: 200 } as const;

interface Round {
  readonly proxy: RedisProxy;
  /** Behind the proxy. */
  readonly store: TaskStore;
  /** Straight at Redis. */
  readonly other: TaskStore;
  readonly prefix: string;
}

/** What went wrong in a round; nothing if it went as it should. */
type Outcome = { readonly fired: number; readonly wrong?: string | undefined };

/** The connection breaks once Redis has carried a write out and before the caller is told; each write is one that begins a run. */
export const replyLost: Fault = {
  id: 'F23',
  title: 'a write whose reply is lost is made once, and its caller learns that it won, even if another wrote on top before it asked again',
  run: (scale) => withCleanup((cleanup) => run(scale, cleanup)),
};

async function run(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  const server = await startServer(cleanup);
  const proxy = await startProxy(cleanup, server);
  const prefix = freshPrefix();
  const round: Round = {
    proxy,
    prefix,
    store: await openStore(cleanup, proxy.url, { prefix }),
    other: await openStore(cleanup, server.url, { prefix }),
  };
  // Redis is to know the scripts: what it refuses as unknown is not carried out.
  const { key } = await given(round.other);
  await round.other.update(key, (record) => marked(record, 'known'));
  const outcomes: Outcome[] = [];
  for (let index = 0; index < ROUNDS[scale]; index++) {
    outcomes.push(await lostClaim(round), await lostClaimUnderAnother(round), await lostCreation(round));
  }
  const fired = outcomes.reduce((sum, outcome) => sum + outcome.fired, 0);
  const wrong = outcomes.flatMap((outcome) => outcome.wrong ?? []);
  return {
    injected: `reply lost of ${outcomes.length} writes: claims, claims with another write on top, creations`,
    fired: fired === outcomes.length ? evidence(fired, 'replies lost in the proxy, each after Redis had replied') : '',
    expected: `${outcomes.length} made once and told as won`,
    seen: `${outcomes.length - wrong.length} so${wrong.length > 0 ? `; ${wrong.slice(0, 3).join('; ')}` : ''}`,
    held: wrong.length === 0,
  };
}

async function lostClaim({ proxy, store, prefix }: Round): Promise<Outcome> {
  const { key } = await given(store);
  const cut = proxy.loseReply({ containing: ['evalsha', prefix + key] });
  // Not recognisable in the record: that it was made before, the store itself must know.
  const told = await store.update(key, (record) => marked({ ...record, run: { ...record.run!, id: 'run-2' } }, 'claim'));
  return { fired: cut.fired, wrong: wrongIn(told, await store.get(key), ['claim@2']) };
}

async function lostClaimUnderAnother({ proxy, store, other, prefix }: Round): Promise<Outcome> {
  const { key } = await given(store);
  let stall: ProxyFault | undefined;
  // Nothing gets through to Redis until the other write is made.
  const wroteOnTop = new Promise<TaskRecord | undefined>((resolve, reject) => {
    const onFired = () => {
      stall = proxy.stall();
      other.update(key, (record) => marked(record, 'on top')).then(resolve, reject);
    };
    proxy.loseReply({ containing: ['evalsha', prefix + key], onFired });
  });
  const telling = store.update(key, claim);
  await wroteOnTop.finally(() => stall?.end());
  return { fired: stall === undefined ? 0 : 1, wrong: wrongIn(await telling, await store.get(key), ['claim@2', 'on top@3']) };
}

async function lostCreation({ proxy, store, prefix }: Round): Promise<Outcome> {
  const draft = sampleDraft();
  const key = taskKeyOf(draft.principal, draft.taskId);
  const cut = proxy.loseReply({ containing: ['evalsha', prefix + key] });
  const created = await store.create(draft);
  const stored = await store.get(key);
  const isOne = created.version === 1 && stored?.version === 1 && stored.createdAt === created.createdAt;
  return { fired: cut.fired, wrong: isOne ? undefined : `a creation made ${JSON.stringify(stored)}` };
}

/** A takeover, as a node claims a task: it asks the record it gets back whether it won. */
function claim(record: TaskRecord): TaskRecord {
  const next = takenOver(record, { id: 'run-1', fence: 1 }, { owner: 'node-2', id: 'run-2' });
  return next === record ? record : marked(next, 'claim');
}

function wrongIn(told: TaskRecord | undefined, stored: TaskRecord | undefined, marks: readonly string[]): string | undefined {
  const made = stored && marksOf(stored).map(({ name, version }) => `${name}@${version}`);
  const isRight = made?.join() === marks.join() && told?.run?.id === 'run-2' && told.version === stored?.version;
  return isRight ? undefined : `told run ${told?.run?.id} at version ${told?.version}, stored ${made?.join()} at ${stored?.version}`;
}

async function given(store: TaskStore): Promise<{ key: TaskKey }> {
  const record = await store.create(sampleDraft());
  return { key: taskKeyOf(record.principal, record.taskId) };
}
