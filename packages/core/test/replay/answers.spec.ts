import type { JsonObject } from '../../src/protocol/json.js';
import { acceptAnswer, answerLedger, conformingAnswers } from '../../src/replay/accept-answer.js';
import { fingerprintRequest } from '../../src/replay/slot.js';
import type { LedgerEntry, LedgerSnapshot } from '../../src/replay/ledger.js';
import { recorded } from './support.js';

const FORM: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    mail: { type: 'string', format: 'email' },
    colour: { type: 'string', enum: ['red', 'green'], default: 'green' },
    news: { type: 'boolean', default: false },
    sizes: { type: 'array', items: { type: 'string', enum: ['s', 'm'] } },
  },
  required: ['name'],
};

function asking(key: string, params: JsonObject = { mode: 'form', message: 'm', requestedSchema: FORM }): LedgerEntry {
  const request = { method: 'elicitation/create', params };
  return { key, kind: 'elicitation', fingerprint: fingerprintRequest(request), request, answered: false };
}

const accept = (content: unknown): JsonObject => ({ action: 'accept', content: content as never });

describe('an answer', () => {
  it('that conforms is taken, with the defaults of what was left out', () => {
    expect(acceptAnswer(asking('a'), accept({ name: 'Ada', age: 36, sizes: ['s'] }))).toEqual(
      accept({ name: 'Ada', age: 36, sizes: ['s'], colour: 'green', news: false }),
    );
  });

  it('keeps what was given instead of the default', () => {
    expect(acceptAnswer(asking('a'), accept({ name: 'Ada', colour: 'red', news: true }))).toEqual(
      accept({ name: 'Ada', colour: 'red', news: true }),
    );
  });

  it.each([
    ['nothing for a field that is required', {}],
    ['a field of another type', { name: 7 }],
    ['a number as text', { name: 'Ada', age: '36' }],
    ['too short a text', { name: 'A' }],
    ['a number out of bounds', { name: 'Ada', age: 151 }],
    ['a fraction for an integer', { name: 'Ada', age: 1.5 }],
    ['no e-mail address', { name: 'Ada', mail: 'ada' }],
    ['a choice that is not offered', { name: 'Ada', colour: 'blue' }],
    ['null for a field', { name: 'Ada', age: null }],
    ['a choice among several that is not offered', { name: 'Ada', sizes: ['s', 'xl'] }],
    ['a list', [{ name: 'Ada' }]],
    ['null', null],
    ['a text', 'Ada'],
  ])('that does not conform leaves the question open: %s', (_, content) => {
    expect(acceptAnswer(asking('a'), accept(content))).toBeUndefined();
  });

  it('that accepts without any content leaves the question open', () => {
    expect(acceptAnswer(asking('a'), { action: 'accept' })).toBeUndefined();
  });

  it.each(['decline', 'cancel'])('may be to %s, whatever else comes with it', (action) => {
    expect(acceptAnswer(asking('a'), { action })).toEqual({ action });
    expect(acceptAnswer(asking('a'), { action, content: { name: 7 }, more: 1 })).toEqual({ action });
  });

  it.each([
    null,
    undefined,
    1,
    'accept',
    true,
    [],
    [{ action: 'decline' }],
    {},
    { action: null },
    { action: 'ACCEPT' },
    { action: ['accept'] },
    { content: { name: 'Ada' } },
  ])('that is none leaves the question open: %j', (raw) => {
    expect(acceptAnswer(asking('a'), raw)).toBeUndefined();
  });

  it('to a question without a form is its action alone', () => {
    const url = asking('a', { mode: 'url', message: 'm', url: 'https://example.com/', elicitationId: '1' });
    expect(acceptAnswer(url, accept({ anything: 1 }))).toEqual({ action: 'accept' });
  });

  it.each(['sampling', 'roots', 'step'] as const)('of this form answers no entry of the kind %s', (kind) => {
    expect(acceptAnswer({ ...asking('a'), kind }, { action: 'decline' })).toBeUndefined();
  });

  it('is judged by its own question, although others were judged before', () => {
    const form = (name: string): JsonObject => ({
      requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
    });
    for (let index = 0; index < 20; index += 1) {
      const entry = asking('a', form(`f${index}`));
      expect(acceptAnswer(entry, accept({ [`f${index}`]: 'x' }))).toEqual(accept({ [`f${index}`]: 'x' }));
      expect(acceptAnswer(entry, accept({ [`f${index + 1}`]: 'x' }))).toBeUndefined();
    }
  });

  it('does not change what was sent', () => {
    const raw = accept({ name: 'Ada' });
    acceptAnswer(asking('a'), raw);
    expect(raw).toEqual(accept({ name: 'Ada' }));
  });
});

describe('answers to a ledger', () => {
  const ledger: LedgerSnapshot = [
    asking('a'),
    asking('b'),
    { ...asking('done'), answered: true, response: { action: 'decline' } },
    ...recorded({ step: 1 }),
  ];

  it('are those that conform, to questions that stand open', () => {
    const answers = conformingAnswers(ledger, {
      a: accept({ name: 'Ada' }),
      b: accept({ name: 7 }),
      done: { action: 'cancel' },
      step: { action: 'decline' },
      unknown: { action: 'decline' },
    });
    expect(Object.keys(answers)).toEqual(['a']);
  });

  it.each([null, 'x', 1, [], { action: 'nonsense' }])('of which one is malformed harm nothing: %j', (bad) => {
    const answers = conformingAnswers(ledger, { a: bad, b: { action: 'decline' } });
    expect(answers).toEqual({ b: { action: 'decline' } });
  });

  it('go into their slots in place, and leave the rest open', () => {
    const next = answerLedger(ledger, { b: { action: 'decline' } });
    expect(next.map(({ key, answered, response }) => [key, answered, response])).toEqual([
      ['a', false, undefined],
      ['b', true, { action: 'decline' }],
      ['done', true, { action: 'decline' }],
      ['step', true, 1],
    ]);
    expect(ledger[1]!.answered).toBe(false);
  });

  it('never replace what is there', () => {
    expect(answerLedger(ledger, { done: { action: 'cancel' }, step: 2 })).toEqual(ledger);
  });
});

describe('keys that are names of prototypes', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '\ud800', ''];

  it.each(NAMES)('%j is data like any other: as the key of a question', (key) => {
    const responses = JSON.parse(`{${JSON.stringify(key)}: {"action": "decline"}}`) as JsonObject;
    const answers = conformingAnswers([asking(key)], responses);
    expect(Object.getOwnPropertyNames(answers)).toEqual([key]);
    expect(answerLedger([asking(key)], answers)[0]).toMatchObject({ key, answered: true, response: { action: 'decline' } });
    expect(({} as { action?: unknown }).action).toBeUndefined();
  });

  it.each(NAMES)('%j does not answer by itself', (key) => {
    expect(conformingAnswers([asking(key)], {})).toEqual({});
    expect(answerLedger([asking(key)], {})[0]!.answered).toBe(false);
  });

  it('are given by the client alone: what an object inherits answers nothing', () => {
    const inherited = Object.create({ a: { action: 'decline' } }) as JsonObject;
    expect(conformingAnswers([asking('a')], inherited)).toEqual({});
    expect(answerLedger([asking('a')], inherited)[0]!.answered).toBe(false);
  });

  it('are data in an answer too, and pollute nothing', () => {
    const raw = JSON.parse(
      '{"action":"accept","content":{"name":"Ada","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    ) as unknown;
    const { content } = acceptAnswer(asking('a'), raw) as { content: { polluted?: unknown } };
    expect(Object.getOwnPropertyNames(content).toSorted()).toEqual(['__proto__', 'colour', 'constructor', 'name', 'news']);
    expect([content.polluted, ({} as { polluted?: unknown }).polluted]).toEqual([undefined, undefined]);
  });

  it('are told apart when they differ in a lone surrogate only', () => {
    const answers = conformingAnswers([asking('\ud800'), asking('\ud801')], { '\ud801': { action: 'decline' } });
    expect(Object.keys(answers)).toEqual(['\ud801']);
  });
});
