import type { JsonObject } from '@mocapi/core';
import { accept } from '@mocapi/testing';
import { AskingTools } from './asking-tools.js';
import { WireApp, textOf, type Reply } from './wire-harness.js';

let app: WireApp;
let tools: AskingTools;
beforeAll(async () => {
  app = await WireApp.start(AskingTools);
  tools = app.get(AskingTools);
});
beforeEach(() => {
  tools.bodies = 0;
});
afterAll(() => app.close());

const ORDER = { name: 'order', arguments: { item: 'tea' } };
const ANSWER = { inputResponses: { name: { action: 'decline' } } };
const REFUSAL = { code: -32602, message: 'Invalid requestState: send the call again without requestState and inputResponses' };
const withoutId = ({ raw }: Reply): string => raw.replace(/"id":\d+/, '"id":0');

describe('a retry', () => {
  it.each([
    ['a changed character', (token: string) => token.slice(0, -3) + (token.at(-3) === 'A' ? 'B' : 'A') + token.slice(-2)],
    ['something behind it', (token: string) => `${token}x`],
    ['its end cut off', (token: string) => token.slice(0, -8)],
    ['another key id', (token: string) => token.replace('v1.ephemeral.', 'v1.other.')],
    ['no text at all', () => ''],
    ['a number', () => 7],
    ['a list', (token: string) => [token]],
  ])('is refused before the body when its token has %s', async (_, forge) => {
    const { requestState } = (await app.call(ORDER)).result;
    tools.bodies = 0;
    const reply = await app.call({ ...ORDER, ...ANSWER, requestState: forge(requestState as string) });
    expect([reply.status, reply.error, tools.bodies]).toEqual([200, REFUSAL, 0]);
  });

  it('is refused before the body when its arguments are others', async () => {
    const { requestState } = (await app.call(ORDER)).result;
    tools.bodies = 0;
    const others: JsonObject[] = [{ item: 'coffee' }, { item: 'tea', count: 1 }];
    for (const args of others) {
      expect((await app.call({ name: 'order', arguments: args, ...ANSWER, requestState })).error).toEqual(REFUSAL);
    }
    expect(tools.bodies).toBe(0);
  });

  it('is refused before the body when it calls another tool', async () => {
    const { requestState } = (await app.call({ name: 'ordinal' })).result;
    expect((await app.call({ name: 'twice', requestState })).error).toEqual(REFUSAL);
  });

  it.each([
    ['alice', 'bob'],
    ['alice', undefined],
    [undefined, 'alice'],
    [undefined, 'anonymous'],
    ['alice', 'Alice'],
  ])('of what %s was asked is refused before the body when it comes from %s', async (asked, retrying) => {
    const { requestState } = (await app.call(ORDER, asked === undefined ? {} : { user: asked })).result;
    tools.bodies = 0;
    const reply = await app.call({ ...ORDER, ...ANSWER, requestState }, retrying === undefined ? {} : { user: retrying });
    expect([reply.error, tools.bodies]).toEqual([REFUSAL, 0]);
    const own = await app.call({ ...ORDER, ...ANSWER, requestState }, asked === undefined ? {} : { user: asked });
    expect(textOf(own)).toBe('no name: decline');
  });

  it('is refused in the same bytes, whatever is wrong', async () => {
    const before = app.errors.length;
    const { requestState } = (await app.call(ORDER, { user: 'alice' })).result;
    const replies = [
      await app.call({ ...ORDER, requestState: 'x' }),
      await app.call({ ...ORDER, requestState }),
      await app.call({ ...ORDER, requestState: `${requestState}A` }, { user: 'alice' }),
      await app.call({ name: 'order', arguments: { item: 'x' }, requestState }, { user: 'alice' }),
      await app.call({ ...ORDER, requestState: 'v1.ephemeral.' + 'A'.repeat(70_000) }),
    ];
    expect(new Set(replies.map(withoutId)).size).toBe(1);
    expect(app.errors).toHaveLength(before);
  });

  it.each([[], 'yes', 1, true])('whose inputResponses are %j is refused with -32602 before the body', async (inputResponses) => {
    const { requestState } = (await app.call(ORDER)).result;
    tools.bodies = 0;
    const tokens: JsonObject[] = [{}, { requestState }];
    for (const token of tokens) {
      const reply = await app.call({ ...ORDER, ...token, inputResponses });
      expect([reply.status, reply.error.code, tools.bodies]).toEqual([200, -32602, 0]);
    }
  });

  it('of a handler that asks something else now is refused with -32602, though the body caught it', async () => {
    const { requestState } = (await app.call({ name: 'fickle' })).result;
    const reply = await app.call({ name: 'fickle', requestState, inputResponses: { fickle: { action: 'decline' } } });
    expect([reply.error.code, tools.bodies]).toEqual([-32602, 2]);
    expect(reply.error.message).toContain('"fickle"');
  });
});

describe('a client that did not declare form elicitation', () => {
  it.each<JsonObject>([{}, { elicitation: { url: {} } }, { sampling: {}, roots: {} }, { elicitation: null }, { elicitation: true }])(
    'is told exactly what is missing, with status 400: %j',
    async (capabilities) => {
      const reply = await app.call(ORDER, { capabilities });
      expect(reply.status).toBe(400);
      expect(reply.error.code).toBe(-32021);
      expect(reply.error.data).toEqual({ requiredCapabilities: { elicitation: { form: {} } } });
    },
  );

  it.each<JsonObject>([
    { elicitation: {} },
    { elicitation: { form: {} } },
    { elicitation: { form: {}, url: {} } },
    { elicitation: { other: {} } },
  ])('is not one that declares %j', async (capabilities) => {
    expect((await app.call(ORDER, { capabilities })).result.resultType).toBe('input_required');
  });

  it('is not asked, even in a retry of what it was asked before', async () => {
    const { requestState } = (await app.call(ORDER)).result;
    const reply = await app.call({ ...ORDER, requestState }, { capabilities: {} });
    expect([reply.status, reply.error.code]).toEqual([400, -32021]);
  });

  it.each<[JsonObject, boolean[]]>([
    [{}, [false, false, false, false]],
    [{ elicitation: {} }, [true, false, false, false]],
    [{ elicitation: { url: {} } }, [false, true, false, false]],
    [{ elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }, [true, true, true, true]],
  ])('can be told beforehand: ctx.supports for %j', async (capabilities, [form, url, sampling, roots]) => {
    const reply = await app.call({ name: 'supports' }, { capabilities });
    expect(reply.result.structuredContent).toEqual({ elicitation: form, 'elicitation.url': url, sampling, roots });
  });
});

describe('a mistake of the author', () => {
  /** The id under which the client may have it looked up, and the log entry with that id. */
  function loggedAs(reply: Reply): { shown: string; entry: string } {
    const shown = reply.result ? textOf(reply) : JSON.stringify(reply.error);
    const [errorId] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(shown) ?? ['none'];
    return { shown, entry: app.errors.filter((line) => line.includes(errorId)).join('\n') };
  }

  it('such as a nested form is named in the log, by its field, and masked to the client', async () => {
    const reply = await app.call({ name: 'nested' });
    expect(reply.result.isError).toBe(true);
    const { shown, entry } = loggedAs(reply);
    expect(shown).toMatch(/^Internal error \(errorId [0-9a-f-]{36}\)$/);
    expect(entry).toContain('the field "address"');
  });

  it('such as one key for two questions is named in the log, by the key, and masked to the client', async () => {
    const first = await app.call({ name: 'sameKey' });
    const reply = await app.call({
      name: 'sameKey',
      requestState: first.result.requestState,
      inputResponses: { one: accept({ sure: true }) },
    });
    const { shown, entry } = loggedAs(reply);
    expect(shown).toMatch(/^Internal error/);
    expect(entry).toContain('"one" was used twice');
  });

  it('such as a step that outgrows the token is named in the log, by the step, and masked to the client', async () => {
    const reply = await app.call({ name: 'greedy' });
    const { shown, entry } = loggedAs(reply);
    expect(reply.error).toEqual({ code: -32603, message: 'Internal error', data: { errorId: expect.any(String) } });
    expect(shown).not.toContain('page');
    expect(entry).toContain('step "page"');
  });
});
