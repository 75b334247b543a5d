import { McpError } from '../../src/errors/mcp.error.js';
import type { LedgerEntry } from '../../src/replay/ledger.js';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';
import { answered, asked, errorOf, execute, executePipeline, question, recorded, runPass, same, valueOf } from './support.js';

failOnUnhandledRejections();

const YES = { action: 'accept' };

describe('a question without a key', () => {
  it('gets one by its kind and its place in the order of calls', async () => {
    const outcome = await execute(({ askNext, pass }) =>
      Promise.all([
        askNext('one'),
        pass.ask({ kind: 'roots', request: { method: 'roots/list' } }, same),
        askNext('three'),
        pass.ask({ kind: 'sampling', request: { method: 'sampling/createMessage' } }, same),
      ]),
    );
    expect(asked(outcome)).toEqual(['elicit-1', 'roots-2', 'elicit-3', 'sample-4']);
  });

  it('finds its own answer again, whatever else was asked by key before it', async () => {
    const body = async ({ ask, askNext }: Parameters<Parameters<typeof execute>[0]>[0]) => [
      await ask('own'),
      await askNext('first'),
      await askNext('second'),
    ];
    const first = await execute(body, { ledger: answered(await execute(body), { own: 'o' }) });
    expect(asked(first)).toEqual(['elicit-1']);
    const second = await execute(body, { ledger: answered(first, { 'elicit-1': 'a' }) });
    expect(asked(second)).toEqual(['elicit-2']);
    expect(valueOf(await execute(body, { ledger: answered(second, { 'elicit-2': 'b' }) }))).toEqual(['o', 'a', 'b']);
  });

  it('is counted anew in each pass, so that a retry meets its answer', async () => {
    const outcome = await execute(({ askNext }) => askNext());
    let attempts = 0;
    const retried = await executePipeline(
      async (execution) => {
        const body = () =>
          runPass(execution, async ({ askNext }) => {
            const answer = await askNext();
            attempts += 1;
            if (attempts < 3) throw new Error('flaky');
            return answer;
          });
        return body().catch(body).catch(body);
      },
      { ledger: answered(outcome, { 'elicit-1': 'blue' }) },
    );
    expect([attempts, valueOf(retried)]).toEqual([3, 'blue']);
  });
});

describe('a key', () => {
  it('that is reached twice in one run is an error of the author, naming it', async () => {
    const ledger = answered(await execute(({ ask }) => ask('name')), { name: YES });
    const outcome = await execute(async ({ ask }) => [await ask('name'), await ask('name')], { ledger });
    expect(errorOf(outcome)).not.toBeInstanceOf(McpError);
    expect(errorOf(outcome).message).toContain('"name" was used twice');
  });

  it.each([
    ['a step after a step', 'step', 'step'],
    ['a step after a question', 'ask', 'step'],
    ['a question after a step', 'step', 'ask'],
  ] as const)('is one key for steps and questions alike: %s', async (_, first, second) => {
    const ledger = first === 'ask' ? answered(await execute(({ ask }) => ask('k')), { k: YES }) : recorded({ k: 1 });
    const outcome = await execute(
      async (context) => {
        const reach = (what: 'ask' | 'step') => (what === 'ask' ? context.ask('k') : context.step('k', () => 1));
        await reach(first);
        await reach(second);
      },
      { ledger },
    );
    expect(errorOf(outcome).message).toContain('"k" was used twice');
  });

  it('of the author that spells an ordinal is told apart from it', async () => {
    const outcome = await execute(async ({ ask, askNext }) =>
      Promise.all([ask('elicit-1').catch(() => 'unwound'), askNext().catch((error: Error) => error)]),
    );
    expect(asked(outcome)).toEqual(['elicit-1']);
  });
});

describe('a run that reaches something else than it did before', () => {
  const before = { name: { ask: 'Your name?' } };

  it.each([
    ['another question at an answered key', true],
    ['another question at a key that stands open', false],
  ])('fails with -32602, naming the key: %s', async (_, wasAnswered) => {
    const first = await execute(({ ask }) => ask('name', before.name.ask));
    const ledger = wasAnswered ? answered(first, { name: YES }) : first.ledger;
    const error = errorOf(await execute(({ ask }) => ask('name', 'Your age?'), { ledger }));
    expect(error.code).toBe(-32602);
    expect(error.message).toContain('"name"');
  });

  it('fails where a question of another kind was', async () => {
    const first = await execute(({ ask }) => ask('k'));
    const changed = await execute(({ pass }) => pass.ask({ ...question('k', 'k'), kind: 'sampling' }, same), {
      ledger: answered(first, { k: YES }),
    });
    expect(errorOf(changed).code).toBe(-32602);
  });

  it('fails where a step stood and a question comes, and the other way round', async () => {
    expect(errorOf(await execute(({ ask }) => ask('k'), { ledger: recorded({ k: 1 }) })).code).toBe(-32602);
    const first = await execute(({ ask }) => ask('k'));
    let ran = false;
    const changed = await execute(({ step }) => step('k', () => (ran = true)), { ledger: first.ledger });
    expect([errorOf(changed).code, ran]).toEqual([-32602, false]);
  });

  it('fails where a step of an abandoned pass is still running and a question comes', async () => {
    const outcome = await executePipeline(async (execution) => {
      let finish!: (value: number) => void;
      void runPass(execution, ({ step }) => step('k', () => new Promise((resolve) => (finish = resolve))));
      const second = runPass(execution, ({ ask }) => ask('k'));
      finish(1);
      return second;
    });
    expect(errorOf(outcome).code).toBe(-32602);
  });

  it('fails even when the body catches it and returns, or asks on', async () => {
    const { ledger } = await execute(({ ask }) => ask('name', before.name.ask));
    const swallowed = await execute(({ ask }) => ask('name', 'Your age?').catch(() => 'fine'), { ledger });
    expect(errorOf(swallowed).code).toBe(-32602);
    const goesOn = await execute(
      async ({ ask }) => {
        await ask('name', 'Your age?').catch(() => undefined);
        return ask('other');
      },
      { ledger },
    );
    expect(errorOf(goesOn).code).toBe(-32602);
  });

  it('is judged by what is asked, not by the order of the keys in it', async () => {
    const ask = (params: Record<string, string>) =>
      ({ kind: 'elicitation', key: 'k', request: { method: 'elicitation/create', params } }) as const;
    const first = await execute(({ pass }) => pass.ask(ask({ message: 'm', mode: 'form' }), same));
    const second = await execute(({ pass }) => pass.ask(ask({ mode: 'form', message: 'm' }), same), {
      ledger: answered(first, { k: 'yes' }),
    });
    expect(valueOf(second)).toBe('yes');
  });
});

describe('an open question of an earlier run', () => {
  it('that this run does not reach is not asked again, and a body that took another path finishes', async () => {
    const first = await execute(({ ask }) => ask('old'));
    const second = await execute(({ ask }) => ask('new'), { ledger: first.ledger });
    expect(asked(second)).toEqual(['new']);
    expect(valueOf(await execute(async () => 'another way', { ledger: second.ledger }))).toBe('another way');
  });

  it('keeps its key to itself in every later run', async () => {
    const first = await execute(({ ask }) => ask('old', 'first'));
    const second = await execute(async () => 'nothing asked', { ledger: first.ledger });
    expect(errorOf(await execute(({ ask }) => ask('old', 'second'), { ledger: second.ledger })).code).toBe(-32602);
  });
});

describe('an answer that came without a ledger', () => {
  it('is taken where the author chose the key, and recorded', async () => {
    const outcome = await execute(async ({ ask }) => [await ask('name'), await ask('more')], { offers: { name: { action: 'decline' } } });
    expect(asked(outcome)).toEqual(['more']);
    const body = async ({ ask }: { ask(key: string): Promise<unknown> }) => [await ask('name'), await ask('more')];
    expect(valueOf(await execute(body, { ledger: answered(outcome, { more: YES }) }))).toEqual([{ action: 'decline' }, YES]);
  });

  it('is ignored where the key is an ordinal', async () => {
    expect(asked(await execute(({ askNext }) => askNext(), { offers: { 'elicit-1': YES } }))).toEqual(['elicit-1']);
  });

  it.each([null, 'yes', [], 1, {}, { action: 'maybe' }])('is ignored when it is no answer: %j', async (offer) => {
    expect(asked(await execute(({ ask }) => ask('name'), { offers: { name: offer as never } }))).toEqual(['name']);
  });

  it('never takes the place of a recorded answer or of a step', async () => {
    const ledger = [...answered(await execute(({ ask }) => ask('a')), { a: 'recorded' }), ...recorded({ s: 1 })];
    const outcome = await execute(async ({ ask, step }) => [await ask('a'), await step('s', () => 2)], {
      ledger,
      offers: { a: { action: 'decline' }, s: { action: 'decline' } },
    });
    expect(valueOf(outcome)).toEqual(['recorded', 1]);
  });
});

describe('what a run hands out', () => {
  it('can be changed by the body without changing what is recorded', async () => {
    const entry: LedgerEntry = { ...(await execute(({ ask }) => ask('list'))).ledger[0]!, answered: true, response: { picked: ['a'] } };
    const body = async ({ ask, step }: Parameters<Parameters<typeof execute>[0]>[0]) => {
      const answer = (await ask('list')) as { picked: string[] };
      const made = (await step('made', () => ({ rows: [1] }))) as { rows: number[] };
      answer.picked.push('changed');
      made.rows.push(2);
      await ask('more');
      return [answer, made];
    };
    const first = await execute(body, { ledger: [entry] });
    expect(first.ledger.slice(0, 2).map(({ response }) => response)).toEqual([{ picked: ['a'] }, { rows: [1] }]);
    const second = await execute(body, { ledger: answered(first, { more: YES }) });
    expect(valueOf(second)).toEqual([{ picked: ['a', 'changed'] }, { rows: [1, 2] }]);
  });

  it('can be changed even where the carrier keeps its records frozen', async () => {
    const ledger = recorded({ made: [1] }).map((entry) => Object.freeze({ ...entry, response: Object.freeze([1]) as never }));
    const outcome = await execute(
      async ({ step }) => ((await step('made', () => [])) as number[]).concat().length + ((await step('other', () => 1)) as number),
      { ledger },
    );
    expect(valueOf(outcome)).toBe(2);
    const pushed = await execute(async ({ step }) => ((await step('made', () => [])) as number[]).push(2), { ledger });
    expect(valueOf(pushed)).toBe(2);
  });
});
