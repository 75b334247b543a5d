import { McpArg, McpArgs, McpContext, McpError, McpPrompt, McpToolError, type McpHandlerContext } from '@mocapi/core';
import { BadRequestException, ConflictException, Injectable, type PipeTransform } from '@nestjs/common';
import { IsBoolean, IsIn, IsInt, IsOptional } from 'class-validator';
import { z } from 'zod';
import { SurfaceApp } from './surface-app.js';

class ReviewArgs {
  @IsInt() lines!: number;
  @IsBoolean() @IsOptional() strict?: boolean;
  @IsIn(['de', 'en']) language!: string;
}

const refusing: PipeTransform = {
  transform() {
    throw new BadRequestException('not with this pipe');
  },
};

@Injectable()
class Prompts {
  @McpPrompt({ title: 'Plain', description: 'Says hello' })
  plain(): string {
    return 'Hello';
  }

  @McpPrompt({ description: 'Typed from a DTO' })
  review(@McpArgs() args: ReviewArgs): string {
    return JSON.stringify({ lines: args.lines, strict: args.strict, language: args.language, isDto: args instanceof ReviewArgs });
  }

  @McpPrompt({ description: 'Single arguments' })
  single(
    @McpArg('text', { description: 'Any text' }) text: string,
    @McpArg('ratio', { default: 0.5 }) ratio: number,
    @McpArg('either', { schema: { anyOf: [{ type: 'integer' }, { type: 'string' }] }, required: false }) either?: unknown,
  ): string {
    return JSON.stringify({ text, ratio, either });
  }

  @McpPrompt({ description: 'Refuses by a pipe' })
  piped(@McpArg('x', { pipes: [refusing] }) _x: string): void {}

  @McpPrompt({ description: 'Fails' })
  failing(@McpArg('how') how: string): never {
    if (how === 'http') throw new ConflictException('Locked by Ann');
    if (how === 'tool') throw new McpToolError('For your eyes');
    if (how === 'mcp') throw new McpError(4711, 'Own code', { data: { own: true } });
    throw new Error('a secret');
  }

  @McpPrompt({ description: 'Returns nothing' })
  nothing(): void {}

  @McpPrompt({ description: 'Asks' })
  async asking(@McpArg('topic') topic: string, @McpContext() ctx: McpHandlerContext): Promise<string> {
    const answer = await ctx.elicit('tone', { message: 'Which tone?', schema: z.object({ tone: z.string() }) });
    return `${topic}: ${answer.action === 'accept' ? answer.content.tone : answer.action} for ${ctx.principal?.id}`;
  }
}

let app: SurfaceApp;
beforeAll(async () => {
  app = await SurfaceApp.start({ providers: [Prompts] });
});
afterAll(() => app.close());

const textOf = (reply: { result?: any }): string => reply.result.messages[0].content.text;

describe('prompts/list', () => {
  it('shows each prompt with its arguments, in the order of declaration, with caching hints', async () => {
    const { result } = await app.request('prompts/list');
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    expect(result!.prompts.map(({ name }: { name: string }) => name)).toEqual([
      'plain',
      'review',
      'single',
      'piped',
      'failing',
      'nothing',
      'asking',
    ]);
    expect(result!.prompts[0]).toEqual({ name: 'plain', title: 'Plain', description: 'Says hello' });
    expect(result!.prompts[2].arguments).toEqual([
      { name: 'text', description: 'Any text', required: true },
      { name: 'ratio', required: false },
      { name: 'either', required: false },
    ]);
  });

  it('is advertised with prompts alone', async () => {
    const { result } = await app.testing.client().discover();
    expect(result!.capabilities.prompts).toBeDefined();
    expect(result!.capabilities.resources).toBeUndefined();
    expect((await app.request('resources/list')).error?.code).toBe(-32601);
  });
});

describe('prompts/get', () => {
  it('answers with the messages and no caching hints', async () => {
    const { result } = await app.prompt('plain');
    expect(result).toMatchObject({
      resultType: 'complete',
      description: 'Says hello',
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
    });
    expect(result).not.toHaveProperty('ttlMs');
  });

  it('makes numbers, integers and booleans of the strings that arguments are, as the DTO wants them', async () => {
    const args = { lines: '12', strict: 'false', language: 'de' };
    expect(JSON.parse(textOf(await app.prompt('review', args)))).toEqual({ lines: 12, strict: false, language: 'de', isDto: true });
  });

  it('leaves a string where the schema takes one, and fills in defaults', async () => {
    expect(JSON.parse(textOf(await app.prompt('single', { text: '12', either: '7' })))).toEqual({ text: '12', ratio: 0.5, either: '7' });
    expect(JSON.parse(textOf(await app.prompt('single', { text: 'x', ratio: '1e-3' })))).toEqual({ text: 'x', ratio: 0.001 });
  });

  it.each([
    ['a missing argument', {}, ['lines', 'language']],
    ['an integer that would become another one', { lines: '9007199254740993', language: 'de' }, ['lines']],
    ['a number beyond all', { lines: '1e999', language: 'de' }, ['lines']],
    ['a text that is no integer', { lines: '1.5', language: 'de' }, ['lines']],
    ['a text with spaces', { lines: ' 1', language: 'de' }, ['lines']],
    ['a value that is not listed', { lines: '1', language: 'fr' }, ['language']],
  ])('refuses %s with -32602 and the issues', async (_what, args, paths) => {
    const { status, error } = await app.prompt('review', args);
    expect({ status, code: error?.code }).toEqual({ status: 200, code: -32602 });
    expect((error!.data as { issues: { path: string }[] }).issues.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
  });

  it('refuses what a pipe of an argument refuses with -32602', async () => {
    expect((await app.prompt('piped', { x: '1' })).error).toEqual({
      code: -32602,
      message: 'not with this pipe',
      data: { issues: [{ path: '', message: 'not with this pipe' }] },
    });
  });

  it.each([[{ name: 7 }], [{}], [{ name: 'plain', arguments: [] }], [{ name: 'review', arguments: { lines: 1 } }]])(
    'refuses params of another form with -32602: %j',
    async (params) => {
      expect((await app.request('prompts/get', params as never)).error?.code).toBe(-32602);
    },
  );

  it('refuses an unknown prompt with -32602', async () => {
    expect((await app.prompt('unknown')).error).toEqual({ code: -32602, message: 'Unknown prompt: unknown' });
  });

  it.each([
    ['http', -32603, 'Locked by Ann'],
    ['tool', -32603, 'For your eyes'],
    ['mcp', 4711, 'Own code'],
  ])('tells a failure that was meant for the client: %s', async (how, code, message) => {
    expect((await app.prompt('failing', { how })).error).toMatchObject({ code, message });
  });

  it.each([
    ['failing', { how: 'secretly' }],
    ['nothing', {}],
  ])('masks every other failure, and logs it once under its errorId: %s', async (name, args) => {
    const before = app.errors.length;
    const { error, raw } = await app.prompt(name, args);
    expect(error).toMatchObject({ code: -32603, message: 'Internal error' });
    expect(raw).not.toContain('secret');
    const logged = app.errors.slice(before);
    expect(logged).toEqual([expect.stringContaining((error!.data as { errorId: string }).errorId)]);
  });
});

describe('a prompt that asks', () => {
  const asked = () => app.prompt('asking', { topic: 'tea' }, 'ann');
  const retry = (params: object, user = 'ann') =>
    app.request('prompts/get', { name: 'asking', arguments: { topic: 'tea' }, ...params }, user);
  const inputResponses = { tone: { action: 'accept', content: { tone: 'warm' } } };

  it('answers once its question is answered', async () => {
    const { result } = await asked();
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { tone: { method: 'elicitation/create' } } });
    expect(textOf(await retry({ requestState: result!.requestState, inputResponses }))).toBe('tea: warm for ann');
  });

  it('takes answers back from its caller, for its arguments and as a prompt alone', async () => {
    const requestState = (await asked()).result!.requestState!;
    expect((await retry({ requestState, inputResponses }, 'bob')).error?.code).toBe(-32602);
    expect((await retry({ requestState, inputResponses, arguments: { topic: 'coffee' } })).error?.code).toBe(-32602);
    expect((await retry({ requestState: `${requestState}x`, inputResponses })).error?.code).toBe(-32602);
  });
});
