import type { RoutingHeaders } from '../../src/dispatch/exchange.js';
import type { McpMethod } from '../../src/dispatch/mcp-method.js';
import { McpError } from '../../src/errors/mcp.error.js';
import type { JsonObject } from '../../src/protocol/json.js';
import { HEADERS, META, bench, coreMethods, exchange } from './dispatch-harness.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** One request as a test bends it. */
interface Draft {
  method: string;
  params: JsonObject | undefined;
  meta: JsonObject | undefined;
  headers: RoutingHeaders;
  refusedByGate: boolean;
}

const good = (): Draft => ({ method: 'toy/method', params: { name: 'echo' }, meta: META, headers: HEADERS, refusedByGate: false });

// What the toy method has to get past, so that every rung is reachable.
const TOY: McpMethod = {
  name: 'toy/method',
  requiredExtension: 'com.example/toy',
  resolve: ({ params }) => {
    if (params.broken === true) throw new McpError(-32602, 'broken');
    return { kind: 'toy', name: 'echo' };
  },
  handle: async () => ({ resultType: 'complete' }),
};

async function answer(draft: Draft) {
  const { dispatcher, gate } = bench({
    contributed: [TOY],
    routedParams: new Map([['toy/method', { method: 'toy/method', param: 'name', presence: 'required' }]]),
  });
  if (draft.refusedByGate) {
    gate.refuse = () => {
      throw new McpError(403, 'Forbidden', { httpStatus: 401 });
    };
  }
  const params = draft.params === undefined ? undefined : { ...draft.params, ...(draft.meta && { _meta: draft.meta }) };
  const message = { jsonrpc: '2.0' as const, id: 7, method: draft.method, ...(params && { params }) };
  const headers = { ...draft.headers, ...(draft.headers['mcp-method'] === 'tools/call' && { 'mcp-method': draft.method }) };
  const reply = await dispatcher.dispatch(message, exchange({ headers }));
  const error = 'error' in reply.message ? reply.message.error : undefined;
  return { code: error?.code, status: reply.status, data: error?.data, id: reply.message.id };
}

const RUNGS: readonly { name: string; code: number; status: number; data?: unknown; bend: (draft: Draft) => void }[] = [
  { name: 'a caller whom the gate refuses', code: 403, status: 401, bend: (d) => (d.refusedByGate = true) },
  {
    name: 'an envelope without capabilities',
    code: -32602,
    status: 400,
    data: { key: CAPABILITIES },
    bend: (d) => (d.meta = { [VERSION]: d.meta?.[VERSION] ?? '2026-07-28' }),
  },
  {
    name: 'a revision header unlike the body',
    code: -32020,
    status: 400,
    data: { header: 'MCP-Protocol-Version' },
    bend: (d) => (d.headers = { ...d.headers, 'mcp-protocol-version': 'other' }),
  },
  {
    name: 'a revision that is not served',
    code: -32022,
    status: 400,
    data: { supported: ['2026-07-28'], requested: 'v999.0.0' },
    bend: bendRevision,
  },
  {
    name: 'an Mcp-Method unlike the body',
    code: -32020,
    status: 400,
    data: { header: 'Mcp-Method' },
    bend: (d) => (d.headers = { ...d.headers, 'mcp-method': 'other/method' }),
  },
  { name: 'an unknown method', code: -32601, status: 404, bend: (d) => (d.method = 'unknown/method') },
  {
    name: 'an Mcp-Name unlike the body',
    code: -32020,
    status: 400,
    data: { header: 'Mcp-Name' },
    bend: (d) => (d.headers = { ...d.headers, 'mcp-name': 'other' }),
  },
  {
    name: 'an extension that is not declared',
    code: -32021,
    status: 400,
    data: { requiredCapabilities: { extensions: { 'com.example/toy': {} } } },
    bend: (d) => (d.meta = { ...d.meta, [CAPABILITIES]: {} }),
  },
  { name: 'params that the method refuses', code: -32602, status: 200, bend: (d) => (d.params = { ...d.params, broken: true }) },
];

// Keeps an agreement or a disagreement of header and body as it is.
function bendRevision(draft: Draft): void {
  draft.meta = { ...draft.meta, [VERSION]: 'v999.0.0' };
  if (draft.headers['mcp-protocol-version'] === '2026-07-28') draft.headers = { ...draft.headers, 'mcp-protocol-version': 'v999.0.0' };
}

describe('of several faults the first of the order is answered', () => {
  it.each(RUNGS.map((rung, index) => ({ ...rung, index })))(
    '$name comes before everything below it',
    async ({ index, code, status, data }) => {
      const draft = good();
      // From the last rung up, so that a rung's own bend has the last word on what it bends.
      for (const rung of RUNGS.slice(index).toReversed()) rung.bend(draft);
      expect(await answer(draft)).toEqual({ code, status, data, id: 7 });
    },
  );

  it('and a request without any is served', async () => {
    expect(await answer(good())).toEqual({ code: undefined, status: 200, data: undefined, id: 7 });
  });
});

describe('the probes of the conformance suite', () => {
  const discover = (headers: RoutingHeaders, meta: JsonObject | undefined) => {
    const { dispatcher } = bench({ core: coreMethods() });
    const params: JsonObject = meta === undefined ? {} : { _meta: meta };
    return dispatcher.dispatch({ jsonrpc: '2.0', id: 1, method: 'server/discover', params }, exchange({ headers }));
  };
  const header = (version: string): RoutingHeaders => ({ 'mcp-protocol-version': version, 'mcp-method': 'server/discover' });

  it.each<[string, RoutingHeaders, JsonObject | undefined, number, number]>([
    ['a served header and v999.0.0 in the body are -32020', header('2026-07-28'), { ...META, [VERSION]: 'v999.0.0' }, -32020, 400],
    ['v999.0.0 in both is -32022', header('v999.0.0'), { ...META, [VERSION]: 'v999.0.0' }, -32022, 400],
    ['a header without _meta is -32602', header('2026-07-28'), undefined, -32602, 400],
    ['no version header is -32020', { 'mcp-method': 'server/discover' }, META, -32020, 400],
    ['no Mcp-Method is -32020', { 'mcp-protocol-version': '2026-07-28' }, META, -32020, 400],
    ['TOOLS/LIST for tools/list is -32020', { ...header('2026-07-28'), 'mcp-method': 'SERVER/DISCOVER' }, META, -32020, 400],
  ])('%s', async (_title, ...[headers, meta, code, status]) => {
    const reply = await discover(headers, meta);
    expect(reply).toMatchObject({ status, message: { id: 1, error: { code } } });
  });

  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/result',
    'tasks/list',
    'toString',
    '__proto__',
  ])('%s with a modern envelope is -32601 and 404', async (method) => {
    const { dispatcher } = bench();
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
    const reply = await dispatcher.dispatch({ jsonrpc: '2.0', id: 1, method, params: { _meta: META } }, exchange({ headers }));
    expect(reply).toMatchObject({ status: 404, message: { error: { code: -32601 } } });
  });

  it('initialize learns which revisions are served', async () => {
    const { dispatcher } = bench();
    const reply = await dispatcher.dispatch({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { _meta: META } }, exchange());
    expect(reply.message).toMatchObject({ error: { data: { supported: ['2026-07-28'] } } });
  });

  it('the message of a missing extension begins with the method', async () => {
    const { dispatcher } = bench({ contributed: [TOY] });
    const meta = { ...META, [CAPABILITIES]: {} };
    const reply = await dispatcher.dispatch({ jsonrpc: '2.0', id: 1, method: 'toy/method', params: { _meta: meta } }, exchange());
    expect(reply.message).toMatchObject({ error: { message: expect.stringMatching(/^Method "toy\/method" /) } });
  });
});

it('a transport without headers is asked for none', async () => {
  const { dispatcher } = bench();
  const reply = await dispatcher.dispatch(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', _meta: META } },
    exchange(),
  );
  expect(reply.status).toBe(200);
});
