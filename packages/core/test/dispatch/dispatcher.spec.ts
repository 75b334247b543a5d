import type { DispatchContext } from '../../src/dispatch/dispatch-context.js';
import { RequestAborted, isShutdown } from '../../src/dispatch/exchange.js';
import { McpError } from '../../src/errors/mcp.error.js';
import type { McpResult } from '../../src/protocol/messages.js';
import { bench, coreMethods, done, exchange, logging, request } from './dispatch-harness.js';

const call = request('tools/call', { name: 'echo' });

describe('a request', () => {
  it.each([1, 'one', 0, ''])('is answered under its id %j', async (id) => {
    const { dispatcher } = bench();
    expect(await dispatcher.dispatch(request('tools/list', {}, id), exchange())).toEqual({
      status: 200,
      message: { jsonrpc: '2.0', id, result: done },
    });
  });

  it('reaches its method with params as sent, envelope, target and exchange', async () => {
    let seen: DispatchContext | undefined;
    const { dispatcher } = bench({ core: coreMethods({ handle: async (context) => ((seen = context), done) }) });
    const one = exchange();
    await dispatcher.dispatch(call, one);
    expect(seen).toMatchObject({
      id: 1,
      method: 'tools/call',
      target: { kind: 'tool', name: 'echo' },
      envelope: { protocolVersion: '2026-07-28' },
    });
    expect(seen?.params).toBe(call.params);
    expect(seen?.exchange).toBe(one);
  });

  it('gets the last touch on its result', async () => {
    const { dispatcher } = bench({ serverInfo: { name: 's', version: '1' } });
    const { message } = await dispatcher.dispatch(call, exchange());
    expect(message).toMatchObject({ result: { _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } } } });
  });

  it.each([undefined, null, 'text', [], {}, { resultType: 1 }])('is an internal error when its method returns %j', async (result) => {
    const { dispatcher, log } = bench({ core: coreMethods({ handle: async () => result as unknown as McpResult }) });
    const reply = await dispatcher.dispatch(call, exchange());
    expect(reply).toMatchObject({ status: 200, message: { error: { code: -32603, message: 'Internal error' } } });
    expect(log).toHaveLength(1);
    expect(log[0]?.description).toContain('tools/call');
  });
});

describe('the gate', () => {
  it('is entered before a method with endpoint guards, and settles the principal', async () => {
    let principal: unknown;
    const { dispatcher, gate } = bench({
      core: [{ name: 'tools/list', handle: async (context) => ((principal = context.principal), done) }],
    });
    await dispatcher.dispatch(request('tools/list'), exchange());
    expect(gate.entered).toHaveLength(1);
    expect(principal).toEqual({ id: 'alice' });
  });

  it('is not entered before a method whose handler runs the guards itself', async () => {
    const { dispatcher, gate } = bench();
    await dispatcher.dispatch(call, exchange());
    expect(gate.entered).toHaveLength(0);
  });

  it('refuses with its own HTTP status, and the method does not run', async () => {
    const ran: string[] = [];
    const { dispatcher, gate } = bench({ core: [{ name: 'tools/list', handle: async () => (ran.push('list'), done) }] });
    gate.refuse = () => {
      throw new McpError(403, 'Forbidden', { httpStatus: 401 });
    };
    expect(await dispatcher.dispatch(request('tools/list'), exchange())).toMatchObject({ status: 401, message: { error: { code: 403 } } });
    expect(ran).toEqual([]);
  });
});

describe('interceptors', () => {
  it('run in order, the first outermost, around the method', async () => {
    const log: string[] = [];
    const core = coreMethods({ handle: async () => (log.push('method'), done) });
    const { dispatcher } = bench({ core, interceptors: [logging('a', log), logging('b', log), logging('c', log)] });
    await dispatcher.dispatch(call, exchange());
    expect(log).toEqual(['a > tools/call', 'b > tools/call', 'c > tools/call', 'method', 'c <', 'b <', 'a <']);
  });

  it('do not run around discovery and lists', async () => {
    const log: string[] = [];
    const { dispatcher } = bench({ interceptors: [logging('a', log)] });
    await dispatcher.dispatch(request('server/discover'), exchange());
    await dispatcher.dispatch(request('tools/list'), exchange());
    expect(log).toEqual([]);
  });

  it('run around a method that an extension adds, target or not, and before its gate', async () => {
    const log: string[] = [];
    const { dispatcher, gate } = bench({
      contributed: [{ name: 'toy/method', handle: async () => (log.push('method'), done) }],
      interceptors: [{ intercept: async (_context, next) => (log.push(`gate ${gate.entered.length}`), next()) }],
    });
    await dispatcher.dispatch(request('toy/method'), exchange());
    expect(log).toEqual(['gate 0', 'method']);
    expect(gate.entered).toHaveLength(1);
  });

  it('may own the answer: then neither gate nor method runs', async () => {
    const { dispatcher, gate } = bench({
      contributed: [{ name: 'toy/method', handle: async () => done }],
      interceptors: [{ intercept: async () => ({ resultType: 'owned' }) }],
    });
    const { message } = await dispatcher.dispatch(request('toy/method'), exchange());
    expect(message).toMatchObject({ result: { resultType: 'owned' } });
    expect(gate.entered).toHaveLength(0);
  });

  it('may abort with an error, thrown or rejected', async () => {
    const refuse = (): never => {
      throw new McpError(4001, 'not now', { data: { why: 'x' } });
    };
    for (const intercept of [refuse, async () => refuse()]) {
      const { dispatcher } = bench({ interceptors: [{ intercept }] });
      const reply = await dispatcher.dispatch(call, exchange());
      expect(reply).toEqual({
        status: 200,
        message: { jsonrpc: '2.0', id: 1, error: { code: 4001, message: 'not now', data: { why: 'x' } } },
      });
    }
  });

  it('see the target that was resolved', async () => {
    let target: unknown;
    const { dispatcher } = bench({ interceptors: [{ intercept: async (context, next) => ((target = context.target), next()) }] });
    await dispatcher.dispatch(call, exchange());
    expect(target).toEqual({ kind: 'tool', name: 'echo' });
  });

  it('may try again, and the caller is settled once', async () => {
    let runs = 0;
    const handle = async (): Promise<McpResult> => {
      if (++runs === 1) throw new Error('first');
      return done;
    };
    const { dispatcher, gate } = bench({
      contributed: [{ name: 'toy/method', handle }],
      interceptors: [{ intercept: async (_context, next) => (await Promise.allSettled([next()]), next()) }],
    });
    expect((await dispatcher.dispatch(request('toy/method'), exchange())).status).toBe(200);
    expect(runs).toBe(2);
    expect(gate.entered).toHaveLength(1);
  });

  it('that give up waiting leave no unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    let failed = false;
    const core = coreMethods({
      handle: async () => {
        failed = true;
        throw new Error('late');
      },
    });
    const { dispatcher } = bench({ core, interceptors: [{ intercept: async (_context, next) => (void next(), done) }] });
    expect((await dispatcher.dispatch(call, exchange())).status).toBe(200);
    // The event is emitted when the microtasks of a turn have run.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', onUnhandled);
    expect(failed).toBe(true);
    expect(unhandled).toEqual([]);
  });
});

describe('failures', () => {
  it('of an aborted request are neither logged nor told', async () => {
    const controller = new AbortController();
    const reason = new RequestAborted('shutdown');
    const core = coreMethods({
      handle: async ({ exchange: { signal } }) => {
        controller.abort(reason);
        signal.throwIfAborted();
        return done;
      },
    });
    const { dispatcher, log } = bench({ core });
    const reply = await dispatcher.dispatch(call, exchange({ signal: controller.signal }));
    expect(isShutdown(controller.signal)).toBe(true);
    expect(reply.message).toMatchObject({ error: { code: -32603, message: 'The request was aborted' } });
    expect(log).toEqual([]);
  });

  it('after an abort that are real ones are logged', async () => {
    const core = coreMethods({
      handle: async () => {
        throw new Error('real');
      },
    });
    const { dispatcher, log } = bench({ core });
    await dispatcher.dispatch(call, exchange({ signal: AbortSignal.abort(new RequestAborted('disconnected')) }));
    expect(log).toHaveLength(1);
  });

  it('outside a request have no id', () => {
    const { dispatcher } = bench();
    expect(Object.keys(dispatcher.fault(undefined, new Error('x')).message)).toEqual(['jsonrpc', 'error']);
  });
});

describe('a notification', () => {
  it.each(['notifications/cancelled', 'notifications/unknown'])('%s has no effect', (method) => {
    const { dispatcher, log } = bench();
    expect(dispatcher.notify({ jsonrpc: '2.0', method, params: { requestId: 1 } })).toBeUndefined();
    expect(log).toEqual([]);
  });
});
