import { McpPrincipalSource, type McpPrincipal } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import {
  ManualResources,
  PayrollTools,
  ReviewPrompts,
  RolesGuard,
  ShopResources,
  TravelPrompts,
} from '../../docs/guides/code/prompts-and-resources.js';

class Accountants extends McpPrincipalSource {
  override resolve(request: object): McpPrincipal | undefined {
    const { 'x-user': id } = (request as { headers: Record<string, string | undefined> }).headers;
    return id === undefined ? undefined : { id, claims: { roles: id === 'ann' ? ['accountant'] : [] } };
  }
}

let testing: McpTestingApp;
beforeAll(async () => {
  testing = await createMcpTestingApp({
    providers: [ReviewPrompts, ShopResources, ManualResources, TravelPrompts, PayrollTools, RolesGuard],
    options: { providers: [{ provide: McpPrincipalSource, useClass: Accountants }] },
  });
});
afterAll(() => testing.close());

const request = async (method: string, params: object = {}, user?: string) =>
  testing.client().request(method, params as never, user === undefined ? {} : { headers: { 'x-user': user } });

describe('the prompts of the guide', () => {
  it('take strings for numbers', async () => {
    const { result } = await request('prompts/get', { name: 'review', arguments: { tone: 'strict', remarks: '5' } });
    expect(result!.messages[0].content.text).toContain('at most 5 remarks');
    expect((await request('prompts/get', { name: 'review', arguments: { tone: 'rude' } })).error?.code).toBe(-32602);
  });

  it('complete a city by the country that is chosen', async () => {
    const ref = { type: 'ref/prompt', name: 'journey' };
    const complete = async (argument: object, args: object = {}) =>
      (await request('completion/complete', { ref, argument, context: { arguments: args } })).result!.completion.values;
    expect(await complete({ name: 'city', value: 'm' }, { country: 'it' })).toEqual(['Milan']);
    expect(await complete({ name: 'country', value: '' })).toEqual(['fr', 'it']);
  });
});

describe('the resources of the guide', () => {
  it('are read', async () => {
    expect((await request('resources/read', { uri: 'shop://opening-hours' })).result).toMatchObject({
      ttlMs: 3_600_000,
      cacheScope: 'public',
    });
    expect((await request('resources/read', { uri: 'shop://articles/7' })).result!.contents[0].text).toContain('Article 7');
    expect((await request('resources/read', { uri: 'shop://articles/7000' })).error).toMatchObject({
      code: -32602,
      message: 'No article 7000',
    });
  });

  it.each(['manual://../package.json', 'manual://%2e%2e/package.json', 'manual:///etc/passwd', 'manual://missing.md'])(
    'do not leave their folder: %s',
    async (uri) => {
      expect((await request('resources/read', { uri })).error).toMatchObject({ code: -32602, data: { uri } });
    },
  );
});

describe('the guard of the guide', () => {
  it('hides what it would deny', async () => {
    expect((await request('tools/list', {}, 'bob')).result!.tools).toEqual([]);
    expect((await request('tools/call', { name: 'salaries' }, 'bob')).error).toEqual({ code: -32602, message: 'Unknown tool: salaries' });
    expect((await request('tools/call', { name: 'salaries' }, 'ann')).result!.content).toHaveLength(1);
    expect((await request('resources/read', { uri: 'payroll://holidays' }, 'bob')).result).toBeDefined();
  });
});
