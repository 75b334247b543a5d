import { McpError } from '../../src/errors/mcp.error.js';
import type { JsonObject } from '../../src/protocol/json.js';
import { deriveKeys, ephemeralKeyRing } from '../../src/replay/key-ring.js';
import { RequestStateCodec } from '../../src/replay/request-state-codec.js';
import { WireCarrier } from '../../src/replay/wire-carrier.js';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';
import { asked, execute, valueOf, type Context } from './support.js';

failOnUnhandledRejections();

const BINDING = { method: 'tools/call', target: 't', arguments: {}, principalId: undefined };
const carrier = new WireCarrier(
  new RequestStateCodec({ keys: deriveKeys(ephemeralKeyRing()), ttlMs: 1_000, maxLength: 65_536, now: () => 0 }),
);

/** One round of a call, as a client makes it. */
async function round(body: (context: Context) => Promise<unknown>, params: JsonObject = {}): Promise<any> {
  const outcome = await execute(body, carrier.open(params, BINDING));
  return outcome.kind === 'inputRequired' ? carrier.ask(outcome.requests, outcome.ledger, BINDING) : valueOf(outcome);
}

describe('the rounds of a call', () => {
  it('go out as an input_required result and come back with the answers, until the handler is done', async () => {
    const body = async ({ ask }: Context) => [await ask('a'), await Promise.all([ask('b'), ask('c')])];
    const first = await round(body);
    expect(first).toEqual({
      resultType: 'input_required',
      inputRequests: { a: { method: 'elicitation/create', params: { message: 'a' } } },
      requestState: expect.any(String),
    });
    const second = await round(body, { requestState: first.requestState, inputResponses: { a: { action: 'decline' } } });
    expect(Object.keys(second.inputRequests)).toEqual(['b', 'c']);
    const third = await round(body, { requestState: second.requestState, inputResponses: { c: { action: 'cancel' } } });
    expect(Object.keys(third.inputRequests)).toEqual(['b']);
    const last = await round(body, { requestState: third.requestState, inputResponses: { b: { action: 'accept' } } });
    expect(last).toEqual([{ action: 'decline' }, [{ action: 'accept' }, { action: 'cancel' }]]);
  });

  it('ask the same again, with a new token, when nothing is answered', async () => {
    const body = ({ ask }: Context) => ask('a');
    const first = await round(body);
    const retries: JsonObject[] = [{}, { inputResponses: {} }, { inputResponses: { other: { action: 'decline' } } }];
    for (const params of retries) {
      const again = await round(body, { requestState: first.requestState, ...params });
      expect(again.inputRequests).toEqual(first.inputRequests);
      expect(again.requestState).not.toBe(first.requestState);
    }
  });

  it('fork where a token is sent twice: each lineage keeps its own answers', async () => {
    const body = ({ ask }: Context) => ask('a');
    const { requestState } = await round(body);
    expect(await round(body, { requestState, inputResponses: { a: { action: 'decline' } } })).toEqual({ action: 'decline' });
    expect(await round(body, { requestState, inputResponses: { a: { action: 'cancel' } } })).toEqual({ action: 'cancel' });
  });

  it('survive keys that are names of prototypes', async () => {
    const body = ({ ask }: Context) => Promise.all([ask('toString'), ask('constructor')]);
    const first = await round(body);
    expect(Object.getOwnPropertyNames(first.inputRequests)).toEqual(['toString', 'constructor']);
    const wire = JSON.parse(
      `{"requestState":"${first.requestState}","inputResponses":{"toString":{"action":"decline"},"constructor":{"action":"cancel"}}}`,
    ) as JsonObject;
    expect(await round(body, wire)).toEqual([{ action: 'decline' }, { action: 'cancel' }]);
    expect(asked(await execute(body, carrier.open({ requestState: first.requestState }, BINDING)))).toEqual(['toString', 'constructor']);
  });

  it.each(['__proto__', 'lone \ud800', 'x'.repeat(201)])('refuse a key that no client could answer under: %j', async (key) => {
    const outcome = await execute(({ ask }: Context) => ask(key));
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.any(TypeError) });
  });
});

describe('the fields of a retry', () => {
  it.each([null, [], 'x', 1, true])('that are no object of answers are refused with -32602: %j', (inputResponses) => {
    const opening = () => carrier.open({ inputResponses: inputResponses }, BINDING);
    expect(opening).toThrow(McpError);
    expect(opening).toThrow(expect.objectContaining({ code: -32602 }));
  });

  it.each([null, '', 'x', 1, {}, []])('that hold no token where one must be are refused with -32602: %j', (requestState) => {
    const opening = () => carrier.open({ requestState: requestState, inputResponses: {} }, BINDING);
    expect(opening).toThrow(expect.objectContaining({ code: -32602 }));
  });

  it('that are absent begin a call anew', () => {
    expect(carrier.open({}, BINDING)).toEqual({ ledger: [] });
  });

  it('without a token offer their answers, and give no ledger', () => {
    expect(carrier.open({ inputResponses: { a: 1 } }, BINDING)).toEqual({ ledger: [], offers: { a: 1 } });
  });

  it('with a token offer nothing beside the ledger', async () => {
    const { requestState } = await round(({ ask }) => ask('a'));
    const { ledger, ...rest } = carrier.open({ requestState, inputResponses: { b: { action: 'decline' } } }, BINDING);
    expect([ledger.map(({ key, answered }) => [key, answered]), rest]).toEqual([[['a', false]], {}]);
  });
});
