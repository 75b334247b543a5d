import * as fc from 'fast-check';
import type { JsonObject } from '../../src/protocol/json.js';
import type { LedgerEntry } from '../../src/replay/ledger.js';
import { type ReplayOutcome, answered, execute, valueOf, type Context } from './support.js';
import { turns } from '../../../../test/support/flow.js';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';

failOnUnhandledRejections();

/** A handler in miniature. Leaves get the key of their place, so that every key stands for one request. */
type Program =
  | { readonly kind: 'ask' }
  | { readonly kind: 'step'; readonly turns: number }
  | { readonly kind: 'fail' }
  | { readonly kind: 'sequence' | 'all' | 'allSettled'; readonly parts: readonly Program[] }
  | { readonly kind: 'catch'; readonly part: Program };

const { program } = fc.letrec<{ program: Program }>((tie) => {
  const parts = fc.array(tie('program'), { minLength: 1, maxLength: 4 });
  return {
    program: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 4, arbitrary: fc.constant<Program>({ kind: 'ask' }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('step' as const), turns: fc.nat(3) }) },
      { weight: 1, arbitrary: fc.constant<Program>({ kind: 'fail' }) },
      { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('sequence' as const, 'all' as const, 'allSettled' as const), parts }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('catch' as const), part: tie('program') }) },
    ),
  };
});

/** What a program runs against: a replayed execution, or a world in which every answer is there at once. */
interface World {
  ask(place: string): Promise<unknown>;
  askNext(message: string): Promise<unknown>;
  step(place: string, turns: number): Promise<unknown>;
}

async function run(part: Program, place: string, world: World): Promise<unknown> {
  switch (part.kind) {
    case 'ask':
      return world.ask(place);
    case 'step':
      return world.step(place, part.turns);
    case 'fail':
      throw new Error('failed');
    case 'sequence': {
      const values: unknown[] = [];
      for (const [index, member] of part.parts.entries()) values.push(await run(member, `${place}.${index}`, world));
      return values;
    }
    case 'all':
      return Promise.all(part.parts.map((member, index) => run(member, `${place}.${index}`, world)));
    case 'allSettled':
      return (await Promise.allSettled(part.parts.map((member, index) => run(member, `${place}.${index}`, world)))).map((one) =>
        one.status === 'fulfilled' ? one.value : 'rejected',
      );
    case 'catch':
      return run(part.part, `${place}.c`, world).catch(() => 'caught');
  }
}

const answerAt = (place: string): string => `answer to ${place}`;
const resultAt = (place: string): string => `result of ${place}`;
const settle = (running: Promise<unknown>): Promise<unknown> =>
  running.then(
    (value) => ({ value }),
    (error: Error) => ({ error: error.message }),
  );

/** What the program comes to when nothing has to be asked or replayed. */
function direct(part: Program): Promise<unknown> {
  return settle(
    run(part, 'p', {
      ask: async (place) => answerAt(place),
      askNext: async (message) => answerAt(message),
      step: async (place) => resultAt(place),
    }),
  );
}

const fails = (part: Program): boolean =>
  part.kind === 'fail' || ('parts' in part && part.parts.some(fails)) || (part.kind === 'catch' && fails(part.part));

interface Journey {
  readonly end: ReplayOutcome<unknown>;
  readonly runs: ReadonlyMap<string, number>;
  readonly requests: ReadonlyMap<string, ReadonlySet<string>>;
  readonly recordedBeforeGoingOn: boolean;
}

/** Replays until nothing is asked any more, answering some of what is open in each round. */
async function replay(body: (world: World) => Promise<unknown>, picks: () => number): Promise<Journey> {
  const runs = new Map<string, number>();
  const requests = new Map<string, Set<string>>();
  const stored = new Set<string>();
  const log = { recordedBeforeGoingOn: true };
  const record = async ({ key }: LedgerEntry): Promise<void> => {
    await turns(picks() % 3);
    stored.add(key);
  };
  const world = (context: Context): World => ({
    ask: (place) => context.ask(place),
    askNext: (message) => context.askNext(message),
    step: async (place, count) => {
      const value = await context.step(place, async () => {
        runs.set(place, (runs.get(place) ?? 0) + 1);
        await turns(count);
        return resultAt(place);
      });
      if (!stored.has(place)) log.recordedBeforeGoingOn = false;
      return value;
    },
  });
  let ledger = [] as ReturnType<typeof answered>;
  for (let round = 0; round < 200; round += 1) {
    const end = await execute((context) => body(world(context)), { ledger, carrier: { recorder: { record } } });
    if (end.kind !== 'inputRequired') return { end, runs, requests, ...log };
    const open = Object.entries(end.requests);
    expect(open.length).toBeGreaterThan(0);
    for (const [key, { params }] of open) requests.set(key, (requests.get(key) ?? new Set()).add(params!.message as string));
    ledger = answered(
      end,
      someAnswers(
        open.map(([key, { params }]) => [key, params!.message as string]),
        picks,
      ),
    );
  }
  throw new Error('replay did not end');
}

/** Answers at least one of the open questions: which ones, and in which order, is picked. */
function someAnswers(open: readonly (readonly [string, string])[], picks: () => number): JsonObject {
  const chosen = open.filter(() => picks() % 2 === 0);
  const answers = (chosen.length > 0 ? chosen : [open[picks() % open.length]!]).map(([key, message]) => [key, answerAt(message)] as const);
  return Object.fromEntries(picks() % 2 === 0 ? answers : answers.toReversed());
}

function pickerOf(numbers: readonly number[]): () => number {
  let next = 0;
  return () => numbers[next++ % numbers.length]!;
}

const choices = fc.array(fc.nat(100), { minLength: 1, maxLength: 40 });

it('a handler replayed to its end gives what it would have given at once, whatever is answered when, and runs each step once', async () => {
  await fc.assert(
    fc.asyncProperty(program, choices, async (part, numbers) => {
      const { end, runs, requests, recordedBeforeGoingOn } = await replay((world) => run(part, 'p', world), pickerOf(numbers));
      const outcome = end.kind === 'completed' ? { value: end.value } : { error: (end as { error: Error }).error.message };
      expect(outcome).toEqual(await direct(part));
      expect([...runs.values()].every((count) => count === 1)).toBe(true);
      if (!fails(part)) expect([...runs.keys()].toSorted()).toEqual(stepsOf(part, 'p').toSorted());
      expect([...requests.values()].every((asked) => asked.size === 1)).toBe(true);
      expect(recordedBeforeGoingOn).toBe(true);
    }),
    { numRuns: 120 },
  );
});

it('a handler that asks one thing after another by ordinals never finds a key used for two requests', async () => {
  const flat = fc.array(fc.oneof(fc.record({ ask: fc.string() }), fc.record({ step: fc.nat(2) })), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(flat, choices, async (plan, numbers) => {
      const body = async ({ askNext, step }: World): Promise<unknown[]> => {
        const values: unknown[] = [];
        for (const [index, part] of plan.entries()) values.push(await ('ask' in part ? askNext(part.ask) : step(`s${index}`, part.step)));
        return values;
      };
      const { end, requests, runs } = await replay(body, pickerOf(numbers));
      expect(valueOf(end)).toEqual(plan.map((part, index) => ('ask' in part ? answerAt(part.ask) : resultAt(`s${index}`))));
      expect([...requests.keys()]).toEqual(plan.filter((part) => 'ask' in part).map((_, index) => `elicit-${index + 1}`));
      expect([...requests.values()].every((asked) => asked.size === 1)).toBe(true);
      expect([...runs.values()].every((count) => count === 1)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

function stepsOf(part: Program, place: string): string[] {
  if (part.kind === 'step') return [place];
  if (part.kind === 'catch') return stepsOf(part.part, `${place}.c`);
  return 'parts' in part ? part.parts.flatMap((member, index) => stepsOf(member, `${place}.${index}`)) : [];
}
