import type { JsonObject } from '@mocapi/core';
import { accept } from '@mocapi/testing';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';
import { OtherKindsTools, QUESTION } from './other-kinds-tools.js';
import { WireApp, textOf, type Reply } from './wire-harness.js';

failOnUnhandledRejections();

let app: WireApp;
let tools: OtherKindsTools;
beforeAll(async () => {
  app = await WireApp.start(OtherKindsTools);
  tools = app.get(OtherKindsTools);
});
beforeEach(() => {
  tools.bodies = 0;
});
afterAll(() => app.close());

const EVERYTHING: JsonObject = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
const SAID = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm', stopReason: 'endTurn' };
const ROOTS = { roots: [{ uri: 'file:///home', name: 'Home' }] };

function call(params: JsonObject & { name: string }, capabilities: JsonObject = EVERYTHING): Promise<Reply> {
  return app.call(params, { capabilities });
}

/** Asks a tool's one question and answers it. */
async function answer(params: JsonObject & { name: string }, inputResponses: JsonObject): Promise<Reply> {
  const { requestState } = (await call(params)).result;
  return call({ ...params, requestState, inputResponses });
}

describe('a page to open', () => {
  const PAGE = { name: 'page', arguments: { url: 'https://a.example/connect?x=1' } };

  it('is asked for in the URL mode, and accepted by consent alone', async () => {
    expect((await call(PAGE)).result.inputRequests).toEqual({
      consent: { method: 'elicitation/create', params: { mode: 'url', message: 'Please sign in', url: 'https://a.example/connect?x=1' } },
    });
    const reply = await answer(PAGE, { consent: { action: 'accept', content: { token: 'never' } } });
    expect(reply.result.structuredContent).toEqual({ action: 'accept' });
  });

  it.each(['decline', 'cancel'])('is answered by %s too', async (action) => {
    expect((await answer(PAGE, { consent: { action } })).result.structuredContent).toEqual({ action });
  });

  it.each(['/relative', 'not a url', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'https://user:pass@a.example/'])(
    'must be safe to open: %s is an error of the author, who finds it in the log without the URL',
    async (url) => {
      const before = app.errors.length;
      const reply = await call({ name: 'page', arguments: { url } });
      expect(textOf(reply)).toMatch(/^Internal error/);
      const logged = app.errors.slice(before).join('\n');
      expect(logged).toContain('The url of an elicitation must');
      expect(logged).not.toContain(url);
    },
  );
});

describe('a question to the model', () => {
  it('is asked as its author wrote it, and answered by what the model said', async () => {
    const params = { systemPrompt: 'Be brief', temperature: 0.5, stopSequences: ['.'] };
    const asked = await call({ name: 'model', arguments: params });
    expect(asked.result.inputRequests).toEqual({ said: { method: 'sampling/createMessage', params: { ...QUESTION, ...params } } });
    expect((await answer({ name: 'model' }, { said: SAID })).result.structuredContent).toEqual(SAID);
  });

  it('stays open until an answer is one', async () => {
    for (const said of [{ action: 'accept' }, { ...SAID, model: 1 }, { ...SAID, content: 'Paris' }, accept({ role: 'assistant' })]) {
      expect(Object.keys((await answer({ name: 'model' }, { said })).result.inputRequests)).toEqual(['said']);
    }
  });

  it.each<[string, JsonObject]>([
    ['no messages', { messages: [] }],
    ['no limit', { maxTokens: 0 }],
    ['an unknown role', { messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] }],
    [
      'the result of a tool that nobody used',
      { messages: [{ role: 'user', content: [{ type: 'tool_result', toolUseId: '1', content: [] }] }] },
    ],
    [
      'a use of a tool that stays without result',
      {
        messages: [
          { role: 'assistant', content: { type: 'tool_use', id: '1', name: 't', input: {} } },
          { role: 'user', content: { type: 'text', text: 'x' } },
        ],
      },
    ],
    [
      'a result among other content',
      {
        messages: [
          { role: 'assistant', content: { type: 'tool_use', id: '1', name: 't', input: {} } },
          {
            role: 'user',
            content: [
              { type: 'tool_result', toolUseId: '1', content: [] },
              { type: 'text', text: 'x' },
            ],
          },
        ],
      },
    ],
  ])('with %s is an error of the author, and is never sent', async (_what, params) => {
    const reply = await call({ name: 'model', arguments: params });
    expect([reply.result.isError, textOf(reply)]).toEqual([true, expect.stringMatching(/^Internal error/)]);
    expect(app.errors.at(-1)).toContain('ctx.sample');
  });
});

describe('a question for roots', () => {
  it('has no params, and is answered by the list', async () => {
    expect((await call({ name: 'roots' })).result.inputRequests).toEqual({ dirs: { method: 'roots/list' } });
    expect((await answer({ name: 'roots' }, { dirs: ROOTS })).result.structuredContent).toEqual(ROOTS.roots);
  });

  it('stays open while a root is no file', async () => {
    const reply = await answer({ name: 'roots' }, { dirs: { roots: [{ uri: 'https://a.example' }] } });
    expect(Object.keys(reply.result.inputRequests)).toEqual(['dirs']);
  });
});

describe('several kinds of question', () => {
  it('go out in one round, and partial answers leave the rest open', async () => {
    const first = await call({ name: 'all' });
    const requests = first.result.inputRequests as Record<string, { method: string }>;
    expect(Object.entries(requests).map(([key, { method }]) => [key, method])).toEqual([
      ['name', 'elicitation/create'],
      ['page', 'elicitation/create'],
      ['said', 'sampling/createMessage'],
      ['dirs', 'roots/list'],
    ]);
    const second = await call({ name: 'all', requestState: first.result.requestState, inputResponses: { said: SAID, dirs: SAID } });
    expect(Object.keys(second.result.inputRequests)).toEqual(['name', 'page', 'dirs']);
    const inputResponses = { name: accept({ name: 'Ada' }), page: { action: 'cancel' }, dirs: ROOTS };
    const last = await call({ name: 'all', requestState: second.result.requestState, inputResponses });
    expect(last.result.structuredContent).toEqual({
      name: { action: 'accept', content: { name: 'Ada' } },
      page: { action: 'cancel' },
      said: SAID,
      roots: ROOTS.roots,
    });
    expect(tools.bodies).toBe(3);
  });

  it('are answered without a token too, where the author chose their keys', async () => {
    const inputResponses = { name: accept({ name: 'Ada' }), page: { action: 'accept' }, said: SAID, dirs: ROOTS };
    expect((await call({ name: 'all', inputResponses })).result.structuredContent).toMatchObject({ said: SAID, roots: ROOTS.roots });
  });

  it('have keys by their kind where the author gave none', async () => {
    expect(Object.keys((await call({ name: 'ordinals' })).result.inputRequests)).toEqual(['elicit-1', 'elicit-2', 'sample-3', 'roots-4']);
  });

  it('fail the call when one of them changes between executions, though the body catches it', async () => {
    const { requestState } = (await call({ name: 'fickle' })).result;
    const reply = await call({ name: 'fickle', requestState, inputResponses: { said: SAID } });
    expect([reply.error.code, tools.bodies]).toEqual([-32602, 2]);
  });
});

describe('a client that did not declare what a tool asks', () => {
  const URL = { url: 'https://a.example' };
  const TOOL = [{ name: 't', inputSchema: { type: 'object' } }];

  it.each<[string, JsonObject & { name: string }, JsonObject, JsonObject]>([
    ['nothing', { name: 'page', arguments: URL }, {}, { elicitation: { url: {} } }],
    ['forms alone', { name: 'page', arguments: URL }, { elicitation: {} }, { elicitation: { url: {} } }],
    ['forms by name', { name: 'page', arguments: URL }, { elicitation: { form: {} } }, { elicitation: { url: {} } }],
    ['nothing', { name: 'model' }, {}, { sampling: {} }],
    ['something that is no object', { name: 'model' }, { sampling: true }, { sampling: {} }],
    ['nothing', { name: 'model', arguments: { tools: TOOL } }, {}, { sampling: { tools: {} } }],
    ['sampling alone', { name: 'model', arguments: { tools: TOOL } }, { sampling: {} }, { sampling: { tools: {} } }],
    ['sampling alone', { name: 'model', arguments: { toolChoice: { mode: 'none' } } }, { sampling: {} }, { sampling: { tools: {} } }],
    ['tools', { name: 'model', arguments: { includeContext: 'allServers' } }, { sampling: { tools: {} } }, { sampling: { context: {} } }],
    ['nothing', { name: 'roots' }, { sampling: {}, elicitation: {} }, { roots: {} }],
  ])('but %s is told exactly what is missing, with status 400: %#', async (...[, params, capabilities, requiredCapabilities]) => {
    const reply = await call(params, capabilities);
    expect([reply.status, reply.error.code, reply.error.data]).toEqual([400, -32021, { requiredCapabilities }]);
  });

  it.each<[JsonObject & { name: string }, JsonObject]>([
    [{ name: 'page', arguments: URL }, { elicitation: { url: {} } }],
    [{ name: 'model' }, { sampling: {} }],
    [{ name: 'model', arguments: { includeContext: 'none' } }, { sampling: {} }],
    [{ name: 'model', arguments: { tools: TOOL } }, { sampling: { tools: {} } }],
    [{ name: 'roots' }, { roots: { listChanged: true } }],
  ])('is not one that declared just that: %j', async (params, capabilities) => {
    expect((await call(params, capabilities)).result.resultType).toBe('input_required');
  });

  it('is not asked even in a retry, since only the request at hand counts', async () => {
    const { requestState } = (await call({ name: 'roots' })).result;
    expect((await call({ name: 'roots', requestState }, {})).error.code).toBe(-32021);
  });

  it('can be gone on without, by a body that catches the refusal', async () => {
    expect(textOf(await call({ name: 'fallback' }, {}))).toBe('without: -32021');
  });

  it.each<[JsonObject, JsonObject | undefined]>([
    [{ sampling: {} }, undefined],
    [{ sampling: {}, roots: {} }, { roots: {} }],
    [{ elicitation: { form: {}, url: {} } }, { elicitation: { url: {} } }],
    [{ extensions: { 'example.com/x': {} } }, { extensions: { 'example.com/x': {} } }],
  ])('is told what of %j is missing by a tool that demands it', async (needs, requiredCapabilities) => {
    const reply = await call({ name: 'needy', arguments: { needs } }, { sampling: {}, elicitation: {} });
    if (requiredCapabilities === undefined) expect(textOf(reply)).toBe('has all');
    else expect([reply.status, reply.error.code, reply.error.data]).toEqual([400, -32021, { requiredCapabilities }]);
  });
});

describe('a body that swallows refusals for ever', () => {
  it.each<[string, number]>([
    ['form', -32021],
    ['page', -32021],
    ['model', -32021],
    ['roots', -32021],
  ])('is given up with what it was refused, and the server goes on: %s', async (kind, code) => {
    const stuck = app.call({ name: 'stubborn', arguments: { kind } }, { capabilities: {} });
    const other = app.call({ name: 'fallback' }, { capabilities: {} });
    expect((await stuck).error.code).toBe(code);
    expect(textOf(await other)).toBe('without: -32021');
  });

  it('is given up for a mistake of its author as well', async () => {
    expect(textOf(await call({ name: 'stubborn', arguments: { kind: 'nested' } }))).toMatch(/^Internal error/);
  });
});
