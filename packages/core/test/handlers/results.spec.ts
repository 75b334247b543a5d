import { McpContext, McpTool, toolResult, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpReply, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { run, valueOf } from '../support/tool-runner.js';

let body: (ctx: McpToolContext) => unknown;

@Injectable()
class Tools {
  @McpTool({ description: 'Whatever the test returns' })
  returns(@McpContext() ctx: McpToolContext): unknown {
    return body(ctx);
  }

  @McpTool({ description: 'Has an output schema', outputSchema: z.object({ sum: z.number() }) })
  typed(@McpContext() ctx: McpToolContext): unknown {
    return body(ctx);
  }
}

let testing: McpTestingApp;
beforeAll(async () => {
  testing = await createMcpTestingApp({ providers: [Tools] });
});
afterAll(() => testing.close());

const returned = (value: unknown, tool = 'returns'): Promise<McpReply> => {
  body = () => value;
  return testing.client().callTool(tool);
};
/** What of a result the tool made. */
const madeOf = ({ result }: McpReply): object => {
  const { _meta, ...rest } = result!;
  expect(_meta).toMatchObject({ 'io.modelcontextprotocol/serverInfo': { name: 'testing' } });
  return rest;
};
const text = (value: string) => ({ type: 'text', text: value });
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };

const cyclic: Record<string, unknown> = {};
cyclic.self = { cyclic };

describe('what a tool returns', () => {
  it.each<[string, unknown, object]>([
    ['a text becomes a text block', 'hello', { content: [text('hello')] }],
    ['an empty text stays one', '', { content: [text('')] }],
    ['undefined becomes no content', undefined, { content: [] }],
    ['null becomes no content', null, { content: [] }],
    ['an object becomes structured content, mirrored as text', { a: 1 }, { content: [text('{"a":1}')], structuredContent: { a: 1 } }],
    ['a number does too', 3, { content: [text('3')], structuredContent: 3 }],
    ['false does too', false, { content: [text('false')], structuredContent: false }],
    ['an array does too', [1, 2], { content: [text('[1,2]')], structuredContent: [1, 2] }],
    ['an empty array does too', [], { content: [text('[]')], structuredContent: [] }],
    ['a Date in it takes its JSON form', { at: new Date(0) }, { structuredContent: { at: '1970-01-01T00:00:00.000Z' } }],
    ['an undefined member is left out', { a: 1, b: undefined }, { structuredContent: { a: 1 } }],
    ['a content block is the content', image, { content: [image] }],
    ['an array of blocks is the content', [text('a'), image], { content: [text('a'), image] }],
    [
      'a CallToolResult is passed through',
      { content: [image], structuredContent: { a: 1 }, isError: true },
      { content: [image], structuredContent: { a: 1 }, isError: true },
    ],
    ['what the builder made is passed through', toolResult({ structuredContent: { a: 1 } }), { content: [], structuredContent: { a: 1 } }],
  ])('%s', async (_what, value, result) => {
    expect(madeOf(await returned(value))).toMatchObject({ resultType: 'complete', ...result });
  });

  it('keeps nothing but its own members', async () => {
    expect(madeOf(await returned('hello'))).toEqual({ resultType: 'complete', content: [text('hello')] });
  });

  it.each<[string, object]>([
    ['whose content is text', { content: 'an article' }],
    ['whose content holds something else than blocks', { content: [{ type: 'chapter' }] }],
    ['whose blocks are of an unknown type', { content: [{ type: 'hologram', data: 'x' }] }],
  ])('a domain object %s is structured content, not a result', async (_what, value) => {
    expect(madeOf(await returned(value))).toMatchObject({ structuredContent: value });
  });

  it('keeps its own _meta beside the name of the server', async () => {
    const { result } = await returned({ content: [], _meta: { mine: 1 } });
    expect(result?._meta).toMatchObject({ mine: 1, 'io.modelcontextprotocol/serverInfo': { name: 'testing', version: '1.0.0' } });
  });
});

describe('a result that JSON cannot hold', () => {
  it.each<[string, unknown, string]>([
    ['a BigInt', { size: 1n }, 'the result of returns.size: it is a BigInt'],
    ['a BigInt alone', 1n, 'the result of returns: it is a BigInt'],
    ['a cycle', cyclic, 'the result of returns.self.cyclic: it is a reference to an object around it'],
    ['a function', { list: [() => 1] }, 'the result of returns.list[0]: it is a function'],
    ['NaN', { value: NaN }, 'the result of returns.value: it is NaN'],
    ['a Map', { map: new Map() }, 'the result of returns.map: it is an instance of Map'],
    ['a symbol', Symbol('s'), 'the result of returns: it is a symbol'],
  ])('is masked, and the log names the tool and the path: %s', async (_what, value, line) => {
    const before = testing.logs.length;
    const { status, result, raw } = await returned(value);
    expect([status, result?.isError]).toEqual([200, true]);
    expect(raw).toMatch(/Internal error \(errorId/);
    expect(raw).not.toContain('it is');
    const logged = testing.logs.slice(before).filter(({ level }) => level === 'error');
    expect(logged).toEqual([
      expect.objectContaining({ message: expect.stringContaining('returns'), details: expect.stringContaining(line) }),
    ]);
  });

  it('is masked though reading it throws', async () => {
    const { result, raw } = await returned({
      get secret(): never {
        throw new Error('secret path');
      },
    });
    expect(result?.isError).toBe(true);
    expect(raw).not.toContain('secret');
  });
});

describe('an output schema', () => {
  it('lets pass what conforms, and is shown in the list', async () => {
    expect(madeOf(await returned({ sum: 3 }, 'typed'))).toMatchObject({ structuredContent: { sum: 3 } });
    const { result } = await testing.client().listTools();
    expect(result?.tools.find(({ name }) => name === 'typed')?.outputSchema).toMatchObject({ type: 'object', required: ['sum'] });
  });

  it.each([{ sum: 'secret' }, {}, 'text', undefined])('masks what does not: %j', async (value) => {
    const before = testing.logs.length;
    const { result, raw } = await returned(value, 'typed');
    expect(result?.isError).toBe(true);
    expect(raw).not.toContain('secret');
    expect(raw).toMatch(/Internal error \(errorId/);
    const logged = testing.logs.slice(before).filter(({ level }) => level === 'error');
    expect(logged).toEqual([
      expect.objectContaining({ details: expect.stringContaining('The result of typed does not conform to its outputSchema') }),
    ]);
  });

  it('does not hold for an isError result', async () => {
    const { result } = await returned({ content: [text('no')], isError: true }, 'typed');
    expect(result?.content).toEqual([text('no')]);
  });
});

/** Of rule 24, what belongs to the core: a step's value. What a store does with it is its own contract's. */
describe('the result of a step', () => {
  it.each<[string, unknown, string]>([
    ['a BigInt', { size: 1n }, 'step "s".size: it is a BigInt'],
    ['a cycle', cyclic, 'step "s".self.cyclic: it is a reference to an object around it'],
    ['a Date, which would come back as a text', { at: new Date(0) }, 'step "s".at: it is an instance of Date'],
    ['a Map', new Map(), 'step "s": it is an instance of Map'],
    ['NaN', [NaN], 'step "s"[0]: it is NaN'],
    ['undefined in an array', [undefined], 'step "s"[0]: it is undefined'],
  ])('that JSON cannot hold without loss is named with its path: %s', async (_what, value, message) => {
    body = (ctx) => ctx.step('s', () => value).catch((error: Error) => error.message);
    expect(valueOf(await run(testing, 'returns'))).toContain(message);
  });

  it('is what a later run gets too: a copy of its own, and nothing for nothing', async () => {
    const value = { list: [1] };
    body = async (ctx) => {
      const step = await ctx.step('s', () => value);
      value.list.push(2);
      return { step, nothing: (await ctx.step('n', () => undefined)) === undefined };
    };
    expect(valueOf(await run(testing, 'returns'))).toEqual({ step: { list: [1] }, nothing: true });
  });
});
