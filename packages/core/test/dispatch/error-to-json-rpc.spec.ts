import { describeThrown } from '../../src/errors/thrown.js';
import { errorToJsonRpc } from '../../src/errors/error-to-json-rpc.js';
import type { ErrorLogEntry } from '../../src/errors/mask-error.js';
import { McpError } from '../../src/errors/mcp.error.js';

const CANARY = '/srv/secret/path.ts';

function map(thrown: unknown, exposeErrorMessages = false) {
  const log: ErrorLogEntry[] = [];
  const mapped = errorToJsonRpc(thrown, { log: (entry) => log.push(entry), exposeErrorMessages }, 'tools/call');
  return { ...mapped, log };
}

const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error(CANARY);
    },
    getPrototypeOf() {
      throw new Error(CANARY);
    },
  },
);
const badMessage = Object.defineProperty(new Error('x'), 'message', {
  get() {
    throw new Error(CANARY);
  },
});
const cyclic = new Error('first', { cause: new Error(CANARY) });
(cyclic.cause as Error).cause = cyclic;
const brandedLiar = new Proxy(new McpError(1, CANARY), {
  get(target, key, receiver) {
    if (key === 'data') throw new Error(CANARY);
    return Reflect.get(target, key, receiver) as unknown;
  },
});

describe('an McpError', () => {
  it('goes with its code, message and data', () => {
    expect(map(new McpError(-32602, 'Unknown tool', { data: { name: 'x' } }))).toEqual({
      error: { code: -32602, message: 'Unknown tool', data: { name: 'x' } },
      status: 200,
      log: [],
    });
  });

  it('without data has no data member', () => {
    expect(Object.keys(map(new McpError(1, 'x')).error)).toEqual(['code', 'message']);
  });

  it.each([
    [-32700, undefined, 400],
    [-32600, undefined, 400],
    [-32601, undefined, 404],
    [-32602, undefined, 200],
    [-32602, 400, 400],
    [-32603, undefined, 200],
    [-32020, undefined, 400],
    [-32021, undefined, 400],
    [-32022, undefined, 400],
    [403, undefined, 200],
    [403, 401, 401],
    [4001, undefined, 200],
    [4001, 99, 200],
    [4001, 600, 200],
    [4001, Number.NaN, 200],
  ])('with code %s and status %s is HTTP %s', (code, httpStatus, status) => {
    const data = { requiredCapabilities: {}, supported: [], requested: 'x' };
    const { error, ...mapped } = map(new McpError(code, 'x', { data, ...(httpStatus !== undefined && { httpStatus }) }));
    expect([error.code, mapped.status]).toEqual([code, status]);
  });

  it.each([-32000, -32002, -32019, -32023, -32042, -32099, -32768])('is never sent with the undefined reserved code %d', (code) => {
    const { error, log } = map(new McpError(code, 'x'));
    expect(error).toMatchObject({ code: -32603, message: 'Internal error' });
    expect(log[0]?.why).toContain('reserved');
  });

  it.each([-32021, -32022])('with the code %d is never sent without its data', (code) => {
    expect(map(new McpError(code, 'x')).error.code).toBe(-32603);
  });

  it('has data that is JSON, or none and a log', () => {
    expect(map(new McpError(1, 'x', { data: new Date(0) as never })).error.data).toBe('1970-01-01T00:00:00.000Z');
    const { error, log } = map(new McpError(1, 'x', { data: { map: new Map() } as never }));
    expect([Object.keys(error), log[0]?.why]).toEqual([['code', 'message'], expect.stringContaining('data.map')]);
  });

  it('keeps its cause to the log', () => {
    const { error, log } = map(new McpError(-32602, 'x', { cause: new Error(CANARY) }));
    expect(JSON.stringify(error)).not.toContain(CANARY);
    expect(log).toHaveLength(1);
    expect(log[0]?.description).toContain(CANARY);
  });
});

describe('anything else', () => {
  it.each<[string, unknown]>([
    ['an error', new Error(CANARY)],
    ['an error with a code', Object.assign(new Error(CANARY), { code: -32602 })],
    ['a string', CANARY],
    ['undefined', undefined],
    ['null', null],
    ['a number', 7],
    ['a symbol', Symbol(CANARY)],
    ['an object without prototype', Object.create(null)],
    ['a Proxy whose every trap throws', hostile],
    ['an error whose message throws', badMessage],
    ['an error whose causes go in a circle', cyclic],
    ['an McpError whose data throws', brandedLiar],
    ['an McpError whose code is none', new McpError(Number.NaN, CANARY)],
  ])('%s is an internal error with an id, logged once under it', (_case, thrown) => {
    const { error, status, log } = map(thrown);
    expect(error).toEqual({ code: -32603, message: 'Internal error', data: { errorId: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
    expect(status).toBe(200);
    expect(log).toHaveLength(1);
    expect(log[0]).toMatchObject({ errorId: (error.data as { errorId: string }).errorId, subject: 'tools/call' });
    expect(log[0]?.error).toBe(thrown);
  });

  it('tells its message when that is asked for, and never its stack', () => {
    const { error } = map(new Error('boom'), true);
    expect(error).toEqual({ code: -32603, message: 'Internal error: boom', data: { errorId: expect.any(String) } });
  });

  it.each([hostile, badMessage, null, ''])('has no message to tell for %#', (thrown) => {
    expect(map(thrown, true).error.message).toBe('Internal error');
  });

  it('is answered even when the log fails', () => {
    const log = (): void => {
      throw new Error('disk full');
    };
    expect(errorToJsonRpc(new Error('x'), { log }).error.message).toBe('Internal error');
  });
});

describe('the text for the log', () => {
  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['text', 'text'],
    [hostile, 'a thrown value that cannot be read'],
  ])('of %# says what there is to say', (thrown, text) => {
    expect(describeThrown(thrown)).toBe(text);
  });

  it('has the stack and the causes, each once', () => {
    const text = describeThrown(cyclic);
    expect(text.split('caused by: ')).toHaveLength(2);
    expect(text).toMatch(/Error: first\n\s+at /);
    expect(text).toContain(CANARY);
  });

  it('of a chain without end is bounded', () => {
    const endless = (): unknown => ({
      message: 'again',
      get cause() {
        return endless();
      },
    });
    expect(describeThrown(endless()).split('caused by: ').length).toBeLessThan(20);
  });
});
