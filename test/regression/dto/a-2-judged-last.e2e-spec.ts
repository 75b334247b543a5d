import { McpArgs, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsDate,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUrl,
  Max,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

class Inner {
  @IsString() text!: string;
}
class Args {
  @IsOptional() @Transform(({ value }) => (value as string).trim()) @IsNotEmpty() @MaxLength(3) trimmed?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Max(5) count?: number;
  @IsOptional() @Transform(({ value }) => value === 'yes') @IsBoolean() flag?: boolean;
  @IsOptional() @Transform(({ value }) => String(value).split(',')) @IsArray() list?: string[];
  @IsOptional() @IsUrl() url?: string;
  @IsOptional() @IsISO8601() iso?: string;
  @IsOptional() @Type(() => Date) @IsDate() date?: Date;
  @IsOptional() @Type(() => Inner) @ValidateNested() inner?: Inner;
  @ValidateIf((args: Args) => args.kind === 'named') @IsString() name?: string;
  @IsOptional() @IsString() kind?: string;
}
class Row {
  @IsString() id!: string;
  @IsOptional() @IsString() note!: string | null;
  @IsOptional() @IsUrl() site!: string | null;
}

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  run(@McpArgs() args: Args): string {
    return JSON.stringify(args);
  }

  @McpTool({ description: 'x', outputSchema: Row })
  row(): Row {
    return { id: '1', note: null, site: 'example.com' };
  }
}

let testing: McpTestingApp;
beforeAll(async () => (testing = await createMcpTestingApp({ providers: [Tools] })));
afterAll(() => testing.close());

async function run(args: object): Promise<unknown> {
  const { result } = await testing.client().callTool('run', args as never);
  const text = result!.content![0]!.text!;
  return result?.isError ? { refused: text } : (JSON.parse(text) as unknown);
}

describe('A-2: class-validator judges what the handler will get', () => {
  it('refuses what is empty once it is trimmed, and accepts what is short enough then', async () => {
    expect(await run({ trimmed: '   ' })).toEqual({ refused: expect.stringContaining('trimmed should not be empty') });
    expect(await run({ trimmed: '  abc  ' })).toEqual({ trimmed: 'abc' });
  });

  it('accepts what @Type and @Transform make right, and refuses what they do not', async () => {
    expect(await run({ count: '2', flag: 'yes', list: 'a,b' })).toEqual({ count: 2, flag: true, list: ['a', 'b'] });
    expect(await run({ count: '7' })).toEqual({ refused: expect.stringContaining('count must not be greater than 5') });
  });
});

describe('A-8: null is allowed where class-validator allows it', () => {
  it('in arguments, and advertised so', async () => {
    expect(await run({ kind: null, inner: null, url: null })).toEqual({ kind: null, inner: null, url: null });
    const { result } = await testing.client().listTools();
    const schema = result!.tools.find(({ name }) => name === 'run')!.inputSchema as unknown as {
      properties: Record<string, { type: unknown }>;
    };
    expect([schema.properties['kind']!.type, schema.properties['inner']!.type]).toEqual([
      ['string', 'null'],
      ['object', 'null'],
    ]);
  });

  it('where a condition lets class-validator pass over it, and not where it does not', async () => {
    expect(await run({ name: null })).toEqual({ name: null });
    expect(await run({ kind: 'named', name: null })).toEqual({ refused: expect.stringContaining('name must be a string') });
  });

  it('in results, as a column of a database may be null', async () => {
    const { result } = await testing.client().callTool('row');
    expect(result).toMatchObject({ structuredContent: { id: '1', note: null, site: 'example.com' } });
    expect(result?.isError).toBeUndefined();
  });
});

describe('A-15: no format is stricter than its decorator', () => {
  it.each<[string, object]>([
    ['@IsUrl', { url: 'example.com' }],
    ['@IsISO8601', { iso: '2026-01' }],
  ])('%s', async (_decorator, args) => {
    expect(await run(args)).toEqual(args);
  });

  it('@IsDate with @Type', async () => {
    expect(await run({ date: '2026-12-24' })).toEqual({ date: '2026-12-24T00:00:00.000Z' });
  });

  it('and what class-validator refuses is refused', async () => {
    expect(await run({ url: 'no url' })).toEqual({ refused: expect.stringContaining('url must be a URL address') });
    expect(await run({ date: 'tomorrow' })).toEqual({ refused: expect.stringContaining('date must be a Date instance') });
  });
});
