import { McpArg, McpArgs, McpDefinitionsError, McpField, McpPrompt, McpTool, type JsonObject } from '@mocapi/core';
import { createMcpTestingApp } from '@mocapi/testing';
import { Injectable, type Type as Class } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsArray, IsNumber, IsString, ValidateNested } from 'class-validator';

async function faultsOf(...providers: Class[]): Promise<{ where: string; problem: string }[]> {
  const testing = await createMcpTestingApp({ providers }).catch((error: unknown) => error as McpDefinitionsError);
  if (testing instanceof McpDefinitionsError) return testing.faults.map(({ where, problem }) => ({ where, problem }));
  if (testing instanceof Error) throw testing;
  await testing.close();
  return [];
}

function toolWith(inputSchema: JsonObject): Class {
  @Injectable()
  class Tools {
    @McpTool({ name: 'move', description: 'moves', inputSchema })
    move(@McpArgs() args: JsonObject) {
      return args;
    }
  }
  return Tools;
}

const property = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { region: schema } });
const HEADED = { type: 'string', 'x-mcp-header': 'Region' };

describe('a tool whose schema asks for a header', () => {
  it.each<[string, JsonObject]>([
    ['on a string', property(HEADED)],
    ['on an integer', property({ type: 'integer', 'x-mcp-header': 'Region' })],
    ['on a boolean', property({ type: 'boolean', 'x-mcp-header': 'Region' })],
    ['inside of an object', property({ type: 'object', properties: { zone: HEADED } })],
    [
      'on a property whose name is a keyword',
      { type: 'object', properties: { items: HEADED, properties: { ...HEADED, 'x-mcp-header': 'P' } } },
    ],
    ['by every character of a token', property({ type: 'string', 'x-mcp-header': "!#$%&'*+-.^_`|~09azAZ" })],
    ['only in data', property({ type: 'object', default: { 'x-mcp-header': '' } })],
  ])('%s boots', async (_where, schema) => {
    expect(await faultsOf(toolWith(schema))).toEqual([]);
  });

  it.each<[string, JsonObject, string, string]>([
    ['with an empty name', property({ type: 'string', 'x-mcp-header': '' }), '"region"', 'not a valid header name'],
    ['with a space in the name', property({ type: 'string', 'x-mcp-header': 'My Region' }), '"region"', 'not a valid header name'],
    ['with a line break in the name', property({ type: 'string', 'x-mcp-header': 'a\r\nb' }), '"region"', 'not a valid header name'],
    ['with a line break behind the name', property({ type: 'string', 'x-mcp-header': 'a\n' }), '"region"', 'not a valid header name'],
    ['with a colon in the name', property({ type: 'string', 'x-mcp-header': 'a:b' }), '"region"', 'not a valid header name'],
    ['with a letter beyond ASCII', property({ type: 'string', 'x-mcp-header': 'Région' }), '"region"', 'not a valid header name'],
    ['with a name that is no text', property({ type: 'string', 'x-mcp-header': true }), '"region"', 'not a valid header name'],
    ['on a number', property({ type: 'number', 'x-mcp-header': 'Region' }), '"region"', 'on the type "number"'],
    ['on an object', property({ type: 'object', 'x-mcp-header': 'Region' }), '"region"', 'on the type "object"'],
    ['on a list', property({ type: 'array', items: {}, 'x-mcp-header': 'Region' }), '"region"', 'on the type "array"'],
    ['on several types', property({ type: ['string', 'null'], 'x-mcp-header': 'Region' }), '"region"', 'on the type ["string","null"]'],
    ['on no type', property({ enum: ['a'], 'x-mcp-header': 'Region' }), '"region"', 'on the type "none"'],
    ['in a list', property({ type: 'array', items: HEADED }), '#/properties/region/items', 'cannot be reached by properties alone'],
    ['in a union', property({ oneOf: [HEADED, { type: 'null' }] }), '#/properties/region/oneOf/0', 'cannot be reached by properties alone'],
    ['in a part', property({ allOf: [HEADED] }), '#/properties/region/allOf/0', 'cannot be reached by properties alone'],
    ['in a negation', property({ not: HEADED }), '#/properties/region/not', 'cannot be reached by properties alone'],
    ['in a condition', { type: 'object', if: property(HEADED) }, '#/if/properties/region', 'cannot be reached by properties alone'],
    [
      'among additional properties',
      { type: 'object', additionalProperties: HEADED },
      '#/additionalProperties',
      'cannot be reached by properties alone',
    ],
    [
      'behind a reference',
      { ...property({ $ref: '#/$defs/r' }), $defs: { r: HEADED } },
      '#/$defs/r',
      'cannot be reached by properties alone',
    ],
    ['at the root', { type: 'object', 'x-mcp-header': 'Region' }, '#', 'cannot be reached by properties alone'],
    [
      'that another property has',
      { type: 'object', properties: { region: HEADED, zone: { type: 'string', 'x-mcp-header': 'REGION' } } },
      '"zone"',
      'which "region" already uses',
    ],
  ])('%s is a fault of the boot that names tool and property', async (...[, schema, place, problem]) => {
    const faults = await faultsOf(toolWith(schema));
    expect(faults).toHaveLength(1);
    expect(faults[0]!.where).toBe('Tools.move');
    expect(faults[0]!.problem).toContain(`of ${place} in the tool "move"`);
    expect(faults[0]!.problem).toContain(problem);
  });

  it('by decorators is held to the same rules, each breach a fault of its own', async () => {
    class ItemDto {
      @IsString() @McpField({ header: 'Item' }) item!: string;
    }
    class Args {
      @IsNumber() @McpField({ header: 'Weight' }) weight!: number;
      @IsArray() @ValidateNested({ each: true }) @Type(() => ItemDto) items!: ItemDto[];
    }
    @Injectable()
    class Tools {
      @McpTool({ description: 'ships' })
      ship(@McpArgs() args: Args) {
        return args.weight;
      }

      @McpTool({ description: 'weighs' })
      weigh(@McpArg('weight', { header: 'Weight' }) weight: number) {
        return weight;
      }
    }
    const faults = await faultsOf(Tools);
    expect(faults.map(({ where, problem }) => `${where} ${problem}`)).toEqual([
      expect.stringContaining('Tools.ship the x-mcp-header of "weight" in the tool "ship" is on the type "number"'),
      expect.stringContaining(
        'Tools.ship the x-mcp-header of #/properties/items/items/properties/item in the tool "ship" cannot be reached',
      ),
      expect.stringContaining('Tools.weigh the x-mcp-header of "weight" in the tool "weigh" is on the type "number"'),
    ]);
  });
});

describe('a handler that is no tool', () => {
  it('may not ask for a header, which nobody would send', async () => {
    @Injectable()
    class Prompts {
      @McpPrompt({ description: 'greets' })
      greet(@McpArg('region', { header: 'Region' }) region: string) {
        return region;
      }
    }
    const faults = await faultsOf(Prompts);
    expect(faults).toEqual([
      { where: 'Prompts.greet', problem: expect.stringContaining('"region" has x-mcp-header, which only arguments of tools may have') },
    ]);
  });
});
