import { McpArgs, McpField, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import * as mapped from '@nestjs/mapped-types';
import * as swagger from '@nestjs/swagger';
import { IsEnum, IsInt, IsOptional, IsString } from 'class-validator';

enum Size {
  Small = 's',
  Large = 'l',
}
class Base {
  @IsString() @McpField({ description: 'Where', header: 'Region' }) region!: string;
  @IsInt() @McpField({ description: 'base', default: 20, examples: [5] }) limit!: number;
  @McpField({ schema: { type: 'object', additionalProperties: { type: 'string' } }, description: 'By hand' }) map!: unknown;
}
class Sub extends Base {
  @IsInt() @McpField({ description: 'sub' }) declare limit: number;
}
class Other {
  @IsString() @McpField({ description: 'Other' }) other!: string;
}
class Picked extends mapped.PickType(Base, ['region', 'limit', 'map']) {}
class Omitted extends mapped.OmitType(Sub, ['map']) {}
class Both extends mapped.IntersectionType(Base, Other) {}
class Partial extends mapped.PartialType(mapped.PickType(Base, ['limit', 'map'])) {}
class SwaggerPicked extends swagger.PickType(Base, ['region', 'limit', 'map']) {}
class SwaggerPartial extends swagger.PartialType(Base) {}

class Documented {
  @swagger.ApiProperty({ description: 'From swagger', example: 'Ada' }) @IsString() name!: string;
  @swagger.ApiProperty({ description: 'lower', examples: ['s', 'l'], enum: Size, default: 's' })
  @IsEnum(Size)
  @McpField({ description: 'upper' })
  size!: Size;
  @swagger.ApiProperty({ enum: ['a', 'b'], description: 'A letter' }) @IsString() letter!: string;
  @swagger.ApiPropertyOptional({ deprecated: true, title: 'Old' }) @IsOptional() @IsString() old?: string;
}

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  picked(@McpArgs() args: Picked): string {
    return JSON.stringify(args);
  }
  @McpTool({ description: 'x' })
  omitted(@McpArgs() args: Omitted): string {
    return JSON.stringify(args);
  }
  @McpTool({ description: 'x' })
  both(@McpArgs() args: Both): string {
    return JSON.stringify(args);
  }
  @McpTool({ description: 'x' })
  partial(@McpArgs() args: Partial): string {
    return JSON.stringify(args);
  }
  @McpTool({ description: 'x' })
  swaggerPicked(@McpArgs() args: SwaggerPicked): string {
    return JSON.stringify(args);
  }
  @McpTool({ description: 'x' })
  swaggerPartial(@McpArgs() args: SwaggerPartial): string {
    return JSON.stringify(args);
  }
  @McpTool({ description: 'x' })
  documented(@McpArgs() args: Documented): string {
    return JSON.stringify(args);
  }
}

type Properties = Record<string, Record<string, unknown>>;

let testing: McpTestingApp;
beforeAll(async () => (testing = await createMcpTestingApp({ providers: [Tools] })));
afterAll(() => testing.close());

async function schemaOf(tool: string): Promise<{ properties: Properties; required?: string[] }> {
  const { result } = await testing.client().listTools();
  return result!.tools.find(({ name }) => name === tool)!.inputSchema as never;
}

async function run(tool: string, args: object): Promise<unknown> {
  const { result } = await testing.client().callTool(tool, args as never, { headers: { 'mcp-param-region': 'eu' } });
  const text = result!.content![0]!.text!;
  return result?.isError ? { refused: text } : JSON.parse(text);
}

const REGION = { type: 'string', description: 'Where', 'x-mcp-header': 'Region' };
const LIMIT = { type: 'integer', description: 'base', default: 20, examples: [5] };
const MAP = { type: 'object', additionalProperties: { type: 'string' }, description: 'By hand' };

describe('A-3: mapped types keep what @McpField says', () => {
  it.each([['picked'], ['swaggerPicked']])('%s', async (tool) => {
    const { properties, required } = await schemaOf(tool);
    expect(properties).toEqual({ region: REGION, limit: LIMIT, map: MAP });
    expect(required?.toSorted()).toEqual(['map', 'region']);
    expect(await run(tool, { region: 'eu', map: {} })).toEqual({ region: 'eu', limit: 20, map: {} });
    expect(await run(tool, { region: 'eu', map: { a: 1 } })).toEqual({ refused: expect.stringContaining('map.a') });
  });

  it('of a subclass, those of its base class as well', async () => {
    expect((await schemaOf('omitted')).properties).toEqual({ region: REGION, limit: { ...LIMIT, description: 'sub' } });
  });

  it('of two classes', async () => {
    const { properties } = await schemaOf('both');
    expect(properties).toEqual({ region: REGION, limit: LIMIT, map: MAP, other: { type: 'string', description: 'Other' } });
  });

  it.each([['partial'], ['swaggerPartial']])('%s, where nothing is required', async (tool) => {
    const { properties, required } = await schemaOf(tool);
    expect(properties).toMatchObject({ limit: { description: 'base', default: 20 }, map: { description: 'By hand' } });
    expect(required).toBeUndefined();
  });
});

describe('A-13: what @ApiProperty says is advertised, and @McpField wins', () => {
  it('descriptions, examples, values, defaults', async () => {
    const { properties, required } = await schemaOf('documented');
    expect(properties).toEqual({
      name: { type: 'string', description: 'From swagger', examples: ['Ada'] },
      size: { type: 'string', enum: ['s', 'l'], description: 'upper', examples: ['s', 'l'], default: 's' },
      letter: { type: 'string', enum: ['a', 'b'], description: 'A letter' },
      old: { type: ['string', 'null'], deprecated: true, title: 'Old' },
    });
    expect(required?.toSorted()).toEqual(['letter', 'name', 'size']);
  });

  it('and refuses no more than class-validator', async () => {
    expect(await run('documented', { name: 'x', size: 's', letter: 'z' })).toEqual({ name: 'x', size: 's', letter: 'z' });
  });
});
