import type { JsonObject } from '@mocapi/core';
import { accept } from '@mocapi/testing';
import { AskingTools } from './asking-tools.js';
import { WireApp, textOf } from './wire-harness.js';

let app: WireApp;
let tools: AskingTools;
beforeAll(async () => {
  app = await WireApp.start(AskingTools);
  tools = app.get(AskingTools);
});
beforeEach(() => {
  tools.bodies = 0;
  tools.charges = 0;
});
afterAll(() => app.close());

const ORDER = { name: 'order', arguments: { item: 'tea' } };
const YES = accept({ sure: true });

describe('a call that asks', () => {
  it('is answered with input_required and completed by a retry with the answers', async () => {
    const first = await app.call({ name: 'ordinal' });
    expect([first.status, first.result.resultType]).toEqual([200, 'input_required']);
    expect(first.result.inputRequests).toEqual({
      'elicit-1': {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Who?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
      },
    });
    for (const hint of ['content', 'isError', 'ttlMs', 'cacheScope', 'structuredContent']) expect(first.result).not.toHaveProperty(hint);
    const { requestState } = first.result;
    const second = await app.call({ name: 'ordinal', requestState, inputResponses: { 'elicit-1': accept({ name: 'Ada' }) } });
    expect([second.result.resultType, textOf(second)]).toEqual(['complete', 'accept']);
    expect(second.result).not.toHaveProperty('requestState');
    expect(tools.bodies).toBe(2);
  });

  it('asks in several rounds, keeps what was answered, and runs its step once', async () => {
    const first = await app.call(ORDER);
    expect(Object.keys(first.result.inputRequests)).toEqual(['name']);
    const second = await app.call({ ...ORDER, requestState: first.result.requestState, inputResponses: { name: accept({ name: 'Ada' }) } });
    expect(Object.keys(second.result.inputRequests)).toEqual(['sure', 'gift']);
    const third = await app.call({ ...ORDER, requestState: second.result.requestState, inputResponses: { gift: { action: 'cancel' } } });
    expect(Object.keys(third.result.inputRequests)).toEqual(['sure']);
    const last = await app.call({ ...ORDER, requestState: third.result.requestState, inputResponses: { sure: YES } });
    expect(last.result.structuredContent).toEqual({ item: 'tea', charge: 1, name: 'Ada', sure: 'accept', gift: 'cancel' });
    expect([tools.bodies, tools.charges]).toEqual([4, 1]);
  });

  it.each(['decline', 'cancel'])('goes on with the answer to %s', async (action) => {
    const first = await app.call(ORDER);
    const second = await app.call({ ...ORDER, requestState: first.result.requestState, inputResponses: { name: { action } } });
    expect(textOf(second)).toBe(`no name: ${action}`);
  });

  it('asks again, with another token, what was not answered or not as it was asked', async () => {
    const first = await app.call(ORDER);
    const { requestState } = first.result;
    const responses: JsonObject[] = [
      {},
      { other: YES },
      { name: accept({ name: 7 }) },
      { name: accept({}) },
      { name: null },
      { name: 'Ada' },
    ];
    for (const retry of [{}, ...responses.map((inputResponses) => ({ inputResponses }))]) {
      const again = await app.call({ ...ORDER, requestState, ...retry });
      expect(again.result.inputRequests).toEqual(first.result.inputRequests);
      expect(again.result.requestState).not.toBe(requestState);
    }
    expect(tools.charges).toBe(1);
  });

  it('ignores keys it did not ask, beside those it did', async () => {
    const first = await app.call(ORDER);
    const inputResponses = { name: { action: 'decline' }, sure: YES, charge: { action: 'decline' }, more: 1 };
    expect(textOf(await app.call({ ...ORDER, requestState: first.result.requestState, inputResponses }))).toBe('no name: decline');
  });

  it('asks the same question twice in a round when it stands at two keys', async () => {
    const first = await app.call({ name: 'twice' });
    const { one, two } = first.result.inputRequests;
    expect(one).toEqual(two);
    const second = await app.call({
      name: 'twice',
      requestState: first.result.requestState,
      inputResponses: { one: YES, two: { action: 'decline' } },
    });
    expect(textOf(second)).toBe('accept,decline');
  });

  it('is not finished by a question it let go of', async () => {
    const first = await app.call({ name: 'floating' });
    expect(Object.keys(first.result.inputRequests)).toEqual(['floating']);
    const second = await app.call({
      name: 'floating',
      requestState: first.result.requestState,
      inputResponses: { floating: { action: 'cancel' } },
    });
    expect(textOf(second)).toBe('returned');
  });

  it('may be repeated with the same token while it lasts, to the same end', async () => {
    const { requestState } = (await app.call(ORDER)).result;
    const retry = () => app.call({ ...ORDER, requestState, inputResponses: { name: { action: 'decline' } } });
    expect([textOf(await retry()), textOf(await retry())]).toEqual(['no name: decline', 'no name: decline']);
    expect(tools.charges).toBe(1);
  });
});

describe('answers without a token', () => {
  it('are taken, once they conform, where the author chose the key', async () => {
    const reply = await app.call({ ...ORDER, inputResponses: { name: accept({ name: 'Ada' }), sure: YES, gift: { action: 'decline' } } });
    expect(reply.result.structuredContent).toMatchObject({ name: 'Ada', sure: 'accept', gift: 'decline' });
    expect(tools.bodies).toBe(1);
  });

  it('that do not conform leave the question open', async () => {
    const reply = await app.call({ ...ORDER, inputResponses: { name: accept({ name: 7 }) } });
    expect(Object.keys(reply.result.inputRequests)).toEqual(['name']);
  });

  it('are ignored for a question that has no key of the author', async () => {
    const reply = await app.call({ name: 'ordinal', inputResponses: { 'elicit-1': accept({ name: 'Ada' }) } });
    expect(Object.keys(reply.result.inputRequests)).toEqual(['elicit-1']);
  });

  it('that were taken travel on in the token', async () => {
    const first = await app.call({ ...ORDER, inputResponses: { name: accept({ name: 'Ada' }) } });
    const inputResponses = { sure: YES, gift: YES };
    const last = await app.call({
      ...ORDER,
      requestState: first.result.requestState,
      inputResponses: { ...inputResponses, gift: accept({ gift: true }) },
    });
    expect(last.result.structuredContent).toMatchObject({ name: 'Ada', sure: 'accept', gift: 'accept' });
  });

  it('never stand for a step', async () => {
    const reply = await app.call({
      ...ORDER,
      inputResponses: { charge: { number: 0 }, name: accept({ name: 'Ada' }), sure: YES, gift: accept({ gift: true }) },
    });
    expect(reply.result.structuredContent).toMatchObject({ charge: 1 });
  });
});
