import { readFile } from 'node:fs/promises';
import { McpArg, McpContext, McpDefinitionsError, McpPrincipalSource, McpTool, McpValueResolver, type McpToolContext } from '@mocapi/core';
import { McpSeam, type McpMethod, type McpMethodContributor, type RoutedParam, type RoutedParamContributor } from '@mocapi/core/extension';
import { createMcpTestingApp, type McpReply, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import { Injectable, UseGuards, UseInterceptors, type Type } from '@nestjs/common';
import {
  BadgePrincipalSource,
  LedgerClosedError,
  LoudValueResolver,
  Receipt,
  Receipts,
  RECEIPTS,
  ReceiptsModule,
  StrataLog,
} from './toy-extension.js';

let log: string[];
let finish: () => void;

const logging = (line: string): MethodDecorator =>
  UseInterceptors({
    intercept: (_context, next) => {
      log.push(line);
      return next.handle();
    },
  });

@Injectable()
class Tools {
  @McpTool({ description: 'Sells ${what}' })
  @Receipt('${shop}')
  @UseGuards({ canActivate: () => log.push('guard') > 0 })
  @logging('interceptor')
  async sell(
    @McpArg('item', { pipes: [{ transform: (value: unknown) => (log.push('pipe'), value) }] }) item: string,
    @McpContext() ctx: McpToolContext,
    @McpArg('refusedBy', { required: false, schema: 'string' }) _refusedBy?: string,
  ): Promise<object> {
    log.push('body');
    await ctx.step('pay', () => 1);
    ctx.progress(1, 2, 'packed');
    await new Promise<void>((resolve) => (finish = resolve));
    return { item, to: ctx.principal?.id ?? 'nobody' };
  }

  @McpTool({ description: 'Fails in the way of its application' })
  closed(): never {
    throw new LedgerClosedError('secret');
  }
}

let testing: McpTestingApp;

beforeAll(async () => {
  testing = await createMcpTestingApp({
    imports: [ReceiptsModule],
    providers: [Tools],
    options: {
      providers: [
        { provide: McpPrincipalSource, useClass: BadgePrincipalSource },
        { provide: McpValueResolver, useClass: LoudValueResolver },
      ],
    },
  });
});

beforeEach(() => {
  log = testing.app.get(StrataLog, { strict: false }).lines;
  log.length = 0;
  finish = () => undefined;
});

afterAll(() => testing.close());

const fetching = (badge?: string): McpTestClient =>
  testing.client({ capabilities: { extensions: { [RECEIPTS]: {} } }, ...(badge ? { headers: { 'x-badge': badge } } : {}) });

const getReceipt = (client: McpTestClient, receiptId: string): Promise<McpReply> =>
  client.request('receipts/get', { receiptId }, { headers: { 'mcp-name': receiptId } });

const INNER = ['guard', 'authorization', 'interceptor', 'validation', 'invocation', 'pipe', 'body'];

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('Not so after 5 s');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the toy extension', () => {
  it('is built with public names of the core alone, none of them internal', async () => {
    const source = await readFile(new URL('toy-extension.ts', import.meta.url), 'utf8');
    const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    expect(new Set(imported)).toEqual(new Set(['@mocapi/core', '@mocapi/core/extension', '@nestjs/common']));
  });

  it('advertises its capability with settings beside those of the core', async () => {
    expect((await testing.client().discover()).result?.capabilities).toEqual({
      tools: { listChanged: true },
      extensions: { [RECEIPTS]: { currency: 'EUR' } },
    });
  });

  it('adjusts what the list shows, with placeholders resolved by its own resolver', async () => {
    const { result } = await testing.client().listTools();
    expect(result?.tools.find(({ name }) => name === 'sell')).toMatchObject({ description: 'Sells WHAT', title: 'sell, with a receipt' });
    expect(result?.tools.find(({ name }) => name === 'closed')).not.toHaveProperty('title');
  });
});

describe('a tool call that it owns', () => {
  it('is answered by a result type of its own, while the tool runs on in the background with a progress sink of its own', async () => {
    const client = fetching('ann');
    const { status, result } = await client.callTool('sell', { item: 'tea' });
    expect([status, result]).toEqual([
      200,
      { resultType: 'receipt', receiptId: expect.stringMatching(/^SHOP-\d+$/), _meta: expect.any(Object) },
    ]);
    const receiptId = result!.receiptId as string;
    await until(() => log.includes('body'));
    const { recorded, progress } = testing.app.get(Receipts, { strict: false }).get(receiptId)!;
    await until(() => progress.length > 0);
    expect([recorded.map(({ key }) => key), progress]).toEqual([['pay'], [{ progress: 1, total: 2, message: 'packed' }]]);
    expect((await getReceipt(client, receiptId)).result).toMatchObject({ state: 'open', steps: ['pay'], progress: [{ progress: 1 }] });
    finish();
    await until(() => testing.app.get(Receipts, { strict: false }).get(receiptId)!.outcome !== undefined);
    expect((await getReceipt(client, receiptId)).result).toMatchObject({
      state: 'paid',
      result: { structuredContent: { item: 'tea', to: 'ann' } },
    });
    expect((await getReceipt(fetching('bob'), receiptId)).error).toEqual({ code: -32602, message: 'Unknown receipt' });
  });

  it('is an ordinary call for a client that did not declare it', async () => {
    const reply = testing.client().callTool('sell', { item: 'tea' });
    await until(() => log.includes('body'));
    finish();
    expect((await reply).result).toMatchObject({ resultType: 'complete', structuredContent: { item: 'tea', to: 'nobody' } });
  });

  it('answers invalid arguments as the ordinary call does', async () => {
    const [own, ordinary] = [await fetching().callTool('sell', { item: 1 }), await testing.client().callTool('sell', { item: 1 })];
    expect(own.raw).toBe(ordinary.raw);
    expect(own.result?.isError).toBe(true);
  });
});

describe('interceptors in the six strata', () => {
  it.each([
    ['in a call of its own', (): McpTestClient => fetching('ann')],
    ['in an ordinary call', (): McpTestClient => testing.client({ headers: { 'x-badge': 'ann' } })],
  ])('run outermost to innermost, once each, however they were attached: %s', async (_how, client) => {
    const reply = client().callTool('sell', { item: 'tea' });
    await until(() => log.includes('body'));
    finish();
    await reply;
    const strata = log.map((line) => line.replace(' of sell, ann', '').replace(' of sell, nobody', ''));
    expect(strata).toEqual(['correlation', 'observation', 'audit', ...INNER]);
  });

  it('know the caller from the guards inward', async () => {
    const reply = testing.client({ headers: { 'x-badge': 'ann' } }).callTool('sell', { item: 'tea' });
    await until(() => log.includes('body'));
    finish();
    await reply;
    expect(log.filter((line) => line.endsWith('nobody')).map((line) => line.split(' ')[0])).toEqual([
      'correlation',
      'observation',
      'audit',
    ]);
    expect(log.filter((line) => line.endsWith('ann')).map((line) => line.split(' ')[0])).toEqual([
      'authorization',
      'validation',
      'invocation',
    ]);
  });

  it.each<[string, object]>([
    ['correlation', { error: { code: -32603, message: 'Internal error' } }],
    ['audit', { error: { code: -32603, message: 'Internal error' } }],
    ['authorization', { error: { code: 403, message: 'Forbidden' } }],
    ['validation', { result: { isError: true } }],
    ['invocation', { result: { isError: true } }],
  ])('refuse in the way of their stratum: %s', async (stratum, answer) => {
    for (const client of [fetching(), testing.client()]) {
      const reply = await client.callTool('sell', { item: 'tea', refusedBy: stratum });
      expect(reply).toMatchObject(answer);
      expect(reply.raw).not.toContain(`refused by ${stratum}`);
      expect(log).not.toContain('body');
    }
  });
});

describe('its methods', () => {
  it('need the extension where they say so, before anything else', async () => {
    const { status, error } = await testing.client().request('receipts/get', {}, { headers: { 'mcp-name': undefined } });
    expect([status, error]).toMatchObject([400, { code: -32021, data: { requiredCapabilities: { extensions: { [RECEIPTS]: {} } } } }]);
  });

  it.each([
    ['is missing', undefined, 400],
    ['differs', 'SHOP-2', 400],
    ['agrees', 'SHOP-999', 200],
  ])('with a required routing header that %s', async (_how, name, status) => {
    const reply = await fetching().request('receipts/get', { receiptId: 'SHOP-999' }, { headers: { 'mcp-name': name } });
    expect([reply.status, reply.error?.code]).toEqual([status, status === 400 ? -32020 : -32602]);
  });

  it.each([
    ['is missing', undefined, 200],
    ['differs', 'beer', 400],
    ['agrees', 'tea', 200],
  ])('with a routing header that is compared if it is there and %s', async (_how, name, status) => {
    const reply = await testing
      .client({ headers: { 'x-badge': 'ann' } })
      .request('receipts/note', { subject: 'tea' }, { headers: { 'mcp-name': name } });
    expect(reply.status).toBe(status);
    expect(status === 200 ? reply.result : reply.error).toMatchObject(status === 200 ? { subject: 'tea', by: 'ann' } : { code: -32020 });
  });

  it('have their exceptions translated, and so have tools', async () => {
    const method = await testing.client().request('receipts/note', { subject: 'unlucky' });
    const tool = await testing.client().callTool('closed');
    for (const { error, raw } of [method, tool]) {
      expect(error).toEqual({ code: 1099, message: 'The ledger is closed' });
      expect(raw).not.toContain('secret');
    }
  });
});

describe('collisions', () => {
  @Injectable()
  @McpSeam('method-contributor')
  class RivalMethods implements McpMethodContributor {
    methods(): readonly McpMethod[] {
      const handle = async (): Promise<never> => {
        throw new Error('never');
      };
      return [
        { name: 'receipts/get', handle },
        { name: 'tools/list', handle },
      ];
    }
  }

  @Injectable()
  @McpSeam('routed-param-contributor')
  class RivalRoutes implements RoutedParamContributor {
    routedParams(): readonly RoutedParam[] {
      return [
        { method: 'receipts/get', param: 'id', presence: 'required' },
        { method: 'tools/call', param: 'name', presence: 'if-present' },
      ];
    }
  }

  async function faultsOf(...providers: Type[]): Promise<readonly { where: string; problem: string; fix: string }[]> {
    const error: unknown = await createMcpTestingApp({ imports: [ReceiptsModule], providers }).then(
      (app) => app.close(),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof McpDefinitionsError)) throw new Error(`The boot did not stop: ${String(error)}`);
    return error.faults;
  }

  it('of methods and of routed params stop the boot, each naming both, and all are listed together', async () => {
    const found = await faultsOf(RivalMethods, RivalRoutes);
    const text = found.map(({ where, problem }) => `${where} ${problem}`);
    expect(text).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/(RivalMethods.*receipts\/get.*ReceiptMethods|ReceiptMethods.*receipts\/get.*RivalMethods)/),
        expect.stringMatching(/RivalMethods.*tools\/list.*core/),
        expect.stringMatching(/(RivalRoutes.*receipts\/get.*ReceiptMethods|ReceiptMethods.*receipts\/get.*RivalRoutes)/),
        expect.stringMatching(/RivalRoutes.*tools\/call.*core/),
      ]),
    );
    expect(found).toHaveLength(4);
    for (const { fix } of found) expect(fix).not.toBe('');
  });

  it('a decorator of an extension that nothing claims stops the boot, with its fix', async () => {
    @Injectable()
    class Orphan {
      @McpTool({ description: 'A tool' })
      @Receipt('x')
      sell(): void {}
    }
    const error: unknown = await createMcpTestingApp({ providers: [Orphan] }).then(
      (app) => app.close(),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      faults: [{ where: 'Orphan.sell', problem: expect.stringContaining('@Receipt'), fix: 'Import ReceiptsModule.' }],
    });
  });
});
