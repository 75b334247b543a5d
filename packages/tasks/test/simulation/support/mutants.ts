import { McpError } from '@mocapi/core';
import {
  AcknowledgesEarly,
  Breaks,
  CountsNoAttempts,
  EndsTwice,
  ForgetsAnswers,
  ForgetsEarly,
  ForgetsSteps,
  ForgetsWhoWaits,
  IgnoresFences,
  LosesUpdates,
  MixesResults,
  SaysGone,
  ShowsMore,
  SwallowsAnswers,
  TellsWhatWasMeant,
  WritesAlways,
} from './broken-node-stores.js';
import { BeatsForEver, DropsNothing, FindsNothing, IsImpatient, MarksNothing, UnmarksNothing } from './broken-run-indexes.js';
import { tellsExpiryEarly, tellsExpiryTwice } from './broken-pushes.js';
import type { Mutant } from './mutant.js';
import type { Schedule } from './schedule.js';
import type { NodeRequest, SimulatedNode } from './simulated-node.js';
import type { SimulatedServer } from './simulated-server.js';
import type { NodeStoreParts } from './node-store-parts.js';
import type { NodeStore } from './node-store.js';
import type { TaskPlan } from './task-plan.js';

/** A fault of the product, as it might be, and the invariant by which it must come out. */
export interface KnownMutant extends Mutant {
  readonly name: string;
  readonly breaks: string;
}

type StoreClass = new (parts: NodeStoreParts) => NodeStore;

const withStore = (name: string, breaks: string, Store: StoreClass): KnownMutant => ({ name, breaks, store: (parts) => new Store(parts) });

/** Every invariant is the one that some of these break. */
export const MUTANTS: readonly KnownMutant[] = [
  withStore('a task is acknowledged before it is stored', 'I1', AcknowledgesEarly),
  withStore('answers are acknowledged and not written', 'I2', SwallowsAnswers),
  withStore('a task ends twice', 'I3', EndsTwice),
  withStore('what changes nothing is written', 'I4', WritesAlways),
  withStore('a claim is decided by a flag inside the mutation', 'I5', TellsWhatWasMeant),
  withStore('the fence is ignored', 'I6', IgnoresFences),
  withStore('nodes that live are taken for dead', 'I6', IsImpatient),
  withStore('answers are forgotten when the next question is asked', 'I7', ForgetsAnswers),
  withStore('a write goes over what came between', 'I7', LosesUpdates),
  withStore('no node enters what it runs', 'I8', MarksNothing),
  withStore('what dead nodes ran is not found', 'I8', FindsNothing),
  { name: "another caller's task is told apart", breaks: 'I9', node: tellsApart },
  withStore('states are shown that were never stored', 'I10', ShowsMore),
  { name: 'listeners are told early that a task expired', breaks: 'I10', node: tellsExpiryEarly },
  { name: 'listeners are told twice that a task expired', breaks: 'I10', node: tellsExpiryTwice },
  withStore('a node does not find a task in the last second of its life', 'I1', ForgetsEarly),
  { name: 'the store finds no task in the last second of its life', breaks: 'I11', server: endsEarly },
  withStore('sessions of dead nodes are kept', 'I12', DropsNothing),
  withStore('what has ended is not struck off', 'I12', UnmarksNothing),
  withStore('a takeover counts as no attempt', 'B1', CountsNoAttempts),
  withStore('steps are forgotten at a takeover', 'B2', ForgetsSteps),
  withStore('a body hears that its task is gone when it is not', 'B3', SaysGone),
  withStore('tasks get the results of others', 'B4', MixesResults),
  {
    ...withStore('a node does not hear that it was taken for dead', 'B6', BeatsForEver),
    schedule: (drawn) => longBodies(drawn, { pauses: [1500] }),
  },
  {
    ...withStore('a record does not tell who waits', 'B7', ForgetsWhoWaits),
    schedule: (drawn) => longBodies({ ...drawn, places: 1 }, { kills: [2500], tool: 'interrupted' }),
  },
  { name: 'a node takes over all that it finds', breaks: 'B8', node: takesAll },
  withStore('an error of the store comes through as it is', 'B5', Breaks),
];

/** A node that says of what it has served before that it is another's. */
function tellsApart(node: SimulatedNode): void {
  const served = new Set<unknown>();
  const serve = node.serve.bind(node);
  node.serve = async (request: NodeRequest) => {
    const { taskId } = request.params;
    if (request.principal?.id === 'mallory' && served.has(taskId)) throw new McpError(-32602, 'Not your task');
    served.add(taskId);
    return serve(request);
  };
}

/** Four long tasks at once on two nodes, and of the faults only those given. */
function longBodies(
  drawn: Schedule,
  { pauses = [], kills = [], tool = 'replayed' }: { pauses?: number[]; kills?: number[]; tool?: TaskPlan['tool'] },
): Schedule {
  const acts = Array.from({ length: 5 }, () => ({ do: 'sleep', ms: 4000 }) as const);
  const base = { acts, tool, ignoresSignal: false, ttlMs: 120_000, principal: 'alice', cancelsAfter: undefined, answering: 'all' } as const;
  const tasks = [1, 2, 3, 4].map((number) => ({ ...base, name: `task-${number}`, startsAt: 300 + number, listens: false }));
  const fault = (kind: 'pause' | 'kill') => (at: number) => ({ at, kind, node: 0, ms: 6000 });
  const wire = { lostRequests: 0, lostReplies: 0, lostHints: 0, doubledHints: 0, slow: 0 };
  return { ...drawn, nodes: 2, tasks, wire, faults: [...pauses.map(fault('pause')), ...kills.map(fault('kill'))] };
}

/** A node that believes to have a place for everything. */
function takesAll(node: SimulatedNode): void {
  Object.defineProperty(node.executor, 'free', { get: () => Infinity });
}

/** A server whose tasks end early. */
function endsEarly(server: SimulatedServer): void {
  const { store } = server;
  const get = store.get.bind(store);
  store.get = async (key) => {
    const record = await get(key);
    return record?.ttlMs && record.createdAt + record.ttlMs - 1000 < server.now ? undefined : record;
  };
}
