import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import type { McpModuleOptions } from '@mocapi/core';
import { AskingTools } from './asking-tools.js';
import { WireApp, textOf } from './wire-harness.js';

const open: WireApp[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(open.splice(0).map((app) => app.close()));
});

async function node(requestState: McpModuleOptions['requestState']): Promise<WireApp> {
  const app = await WireApp.start(AskingTools, requestState ? { requestState } : {});
  open.push(app);
  return app;
}

const ORDER = { name: 'order', arguments: { item: 'tea' }, inputResponses: { name: { action: 'decline' } } };
const ASK = { name: 'order', arguments: { item: 'tea' } };
const REFUSAL = { code: -32602, message: 'Invalid requestState: send the call again without requestState and inputResponses' };
const key = (id: string): { id: string; key: string } => ({ id, key: randomBytes(32).toString('base64') });

describe('a token', () => {
  it('lasts as long as the option says, to the millisecond', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const app = await node({ ttl: 'PT30S' });
    const { requestState } = (await app.call(ASK)).result;
    clock.mockReturnValue(1_030_000);
    expect(textOf(await app.call({ ...ORDER, requestState }))).toBe('no name: decline');
    clock.mockReturnValue(1_030_001);
    expect((await app.call({ ...ORDER, requestState })).error).toEqual(REFUSAL);
  });

  it('lasts ten minutes from each round by default', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const app = await node(undefined);
    const { requestState } = (await app.call(ASK)).result;
    clock.mockReturnValue(1_600_000);
    const again = (await app.call({ ...ASK, requestState })).result;
    clock.mockReturnValue(1_600_001);
    expect((await app.call({ ...ORDER, requestState })).error).toEqual(REFUSAL);
    expect(textOf(await app.call({ ...ORDER, requestState: again.requestState }))).toBe('no name: decline');
  });

  it('is answered by any node that has its key, and by no other', async () => {
    const shared = key('shared');
    const [one, other, stranger] = [await node({ keys: [shared] }), await node({ keys: [key('new'), shared] }), await node(undefined)];
    const { requestState } = (await one.call(ASK)).result;
    expect(textOf(await other.call({ ...ORDER, requestState }))).toBe('no name: decline');
    expect((await stranger.call({ ...ORDER, requestState })).error).toEqual(REFUSAL);
    expect((await other.call(ASK)).result.requestState).toMatch(/^v1\.new\./);
  });

  it('that would be longer than the option says is an error, not a token', async () => {
    const app = await node({ maxLength: 300 });
    const reply = await app.call(ASK);
    expect(reply.error).toEqual({ code: -32603, message: 'Internal error', data: { errorId: expect.any(String) } });
    expect(app.errors.join()).toContain('exceed the 300 characters');
  });
});

describe('keys that cannot be used', () => {
  it.each([
    ['too short', [{ id: 'a', key: 'c2hvcnQ=' }]],
    ['a pass phrase', [{ id: 'a', key: 'correct horse battery staple, correct horse' }]],
    ['missing', [{ id: 'a', key: undefined as never }]],
    ['twice the same id', [key('a'), key('a')]],
    ['none', []],
  ])('are a fault of the boot: %s', async (_, keys) => {
    await expect(node({ keys })).rejects.toThrow(/requestState/);
  });
});
