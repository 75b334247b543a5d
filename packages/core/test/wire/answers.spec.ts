import type { JsonObject } from '@mocapi/core';
import { accept } from '@mocapi/testing';
import { AskingTools } from './asking-tools.js';
import { WireApp, textOf, type Reply } from './wire-harness.js';

let app: WireApp;
beforeAll(async () => {
  app = await WireApp.start(AskingTools);
});
afterAll(() => app.close());

/** Asks a tool's one question and answers it. */
async function answer(name: string, key: string, response: JsonObject): Promise<Reply> {
  const { requestState } = (await app.call({ name })).result;
  return app.call({ name, requestState, inputResponses: { [key]: response } });
}

describe('an answer to a zod schema', () => {
  it('reaches the handler as what the schema makes of it: transformed, coerced, defaulted', async () => {
    const reply = await answer('typed', 'typed', accept({ when: '2026-07-28', count: 4 }));
    expect(reply.result.structuredContent).toEqual({ year: 2026, size: 'm', count: 5 });
  });

  it('is asked as the flat form of what a client has to send', async () => {
    const { inputRequests } = (await app.call({ name: 'typed' })).result;
    expect(inputRequests.typed.params.requestedSchema.properties).toMatchObject({
      when: { type: 'string' },
      size: { enum: ['s', 'm'], default: 'm' },
    });
  });

  it('keeps what was given instead of the default', async () => {
    expect((await answer('typed', 'typed', accept({ when: '2020-01-01', size: 's', count: 1 }))).result.structuredContent).toMatchObject({
      size: 's',
    });
  });

  it('that the form takes and the schema does not is an error result that says why', async () => {
    const reply = await answer('refined', 'refined', accept({ code: 'A1' }));
    expect([reply.result.isError, textOf(reply)]).toEqual([true, expect.stringContaining('must begin with X')]);
    expect(textOf(await answer('refined', 'refined', accept({ code: 'X1' })))).toBe('accept');
  });
});

describe('an answer to a class', () => {
  it('reaches the handler as an instance of it', async () => {
    expect((await answer('dto', 'dto', accept({ name: 'Ada', age: 36 }))).result.structuredContent).toEqual({
      isInstance: true,
      name: 'Ada',
      age: 36,
    });
  });

  it('may leave out what is optional', async () => {
    expect((await answer('dto', 'dto', accept({ name: 'Ada' }))).result.structuredContent).toEqual({ isInstance: true, name: 'Ada' });
  });

  it.each<JsonObject>([{ name: 'A' }, { name: 'Ada', age: 1.5 }, {}, { name: 'Ada', age: '36' }])(
    'that does not conform leaves the question open: %j',
    async (content) => {
      const reply = await answer('dto', 'dto', accept(content));
      expect(Object.keys(reply.result.inputRequests)).toEqual(['dto']);
    },
  );

  it('may be a refusal', async () => {
    expect(textOf(await answer('dto', 'dto', { action: 'decline' }))).toBe('decline');
  });
});
