import { McpArg, McpPrompt, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import {
  BadRequestException,
  Body,
  Controller,
  DefaultValuePipe,
  Injectable,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Post,
  type PipeTransform,
  type Type,
} from '@nestjs/common';

enum Colour {
  Red = 'red',
  Blue = 'blue',
}
enum Level {
  Low,
  High,
}

@Injectable()
class Percent implements PipeTransform<unknown, number> {
  transform(value: unknown): number {
    const read = Number.parseFloat(String(value));
    if (Number.isNaN(read)) throw new BadRequestException('a percentage is expected');
    return read / 100;
  }
}

/** Refuses, and converts nothing. */
class Positive implements PipeTransform {
  transform(value: number): number {
    if (value < 0) throw new BadRequestException('it must be positive');
    return value;
  }
}

type Pipes = readonly (Type<PipeTransform> | PipeTransform)[];
const ID = '2b1f7a52-9a56-4d0a-8a77-1f6c7b7f1c11';

/** A parameter `x` of a type, its pipes, and values that come in. */
const PARAMETERS: Record<string, readonly [type: unknown, pipes: Pipes, values: readonly unknown[]]> = {
  int: [Number, [ParseIntPipe], [5, '5', '-7', '007', 'a', '1.5', 1.5, true, {}, [5], null]],
  optionalInt: [Number, [new ParseIntPipe({ optional: true })], [5, '5', undefined, 'a', null]],
  // N-4: who takes an absent argument takes null for one.
  optionalBool: [Boolean, [new ParseBoolPipe({ optional: true })], [true, 'false', undefined, null]],
  optionalNumbers: [Array, [new ParseArrayPipe({ items: Number, optional: true })], [[1], undefined, null]],
  optionalUuid: [String, [new ParseUUIDPipe({ optional: true })], [ID, undefined, null, 'a']],
  optionalColour: [String, [new ParseEnumPipe(Colour, { optional: true })], ['red', undefined, null, 'green']],
  optionalDate: [Date, [new ParseDatePipe({ optional: true })], ['2026-12-01', undefined, null, 'soon']],
  float: [Number, [ParseFloatPipe], [1.5, '1.5', '1e3', 'a', {}]],
  bool: [Boolean, [ParseBoolPipe], [null, true, 'true', 'false', 'yes', {}]],
  numbers: [Array, [new ParseArrayPipe({ items: Number })], [[1, 2], '1,2', ['1'], '1,a', [1, 'a']]],
  texts: [Array, [new ParseArrayPipe({ separator: ';' })], ['a;b', ['a'], 5]],
  uuid: [String, [ParseUUIDPipe], [ID, 'a', '']],
  colour: [String, [new ParseEnumPipe(Colour)], ['red', 'green', 'Red']],
  level: [Number, [new ParseEnumPipe(Level)], [1, '1', 7, 'High']],
  date: [Date, [ParseDatePipe], ['2026-12-01', '2026-12-01T00:00:00Z', 0, 'soon', '']],
  defaulted: [Number, [new DefaultValuePipe(10), ParseIntPipe], [undefined, '3', 3, 'a', null]],
  defaultedText: [Number, [new DefaultValuePipe('10'), ParseIntPipe], [undefined, '3']],
  percent: [Number, [Percent], ['50%', 50, '50', 'half']],
  afterwards: [Number, [ParseIntPipe, new Positive()], ['5', '-5', -5]],
};

let seen: unknown;
const record = (value: unknown): string => {
  seen = value;
  return 'ok';
};

/** The same parameter on a route and on a tool, as the compiler would emit it. */
function both(name: string): [tools: Type, routes: Type] {
  const [type, pipes] = PARAMETERS[name]!;
  class Tools {
    [name](value: unknown): string {
      return record(value);
    }
  }
  class Routes {
    [name](value: unknown): string {
      return record(value);
    }
  }
  for (const { prototype } of [Tools, Routes]) Reflect.defineMetadata('design:paramtypes', [type], prototype, name);
  (McpArg as (...given: unknown[]) => ParameterDecorator)('x', { pipes })(Tools.prototype, name, 0);
  McpTool({ description: 'x' })(Tools.prototype, name, Object.getOwnPropertyDescriptor(Tools.prototype, name)!);
  Body('x', ...(pipes as PipeTransform[]))(Routes.prototype, name, 0);
  Post(name)(Routes.prototype, name, Object.getOwnPropertyDescriptor(Routes.prototype, name)!);
  Injectable()(Tools);
  Controller()(Routes);
  return [Tools, Routes];
}

@Injectable()
class Written {
  @McpTool({ description: 'x' })
  asOnARoute(@((McpArg as (...given: unknown[]) => ParameterDecorator)('x', new DefaultValuePipe(2), ParseIntPipe)) x: number): string {
    return record(x);
  }

  @McpTool({ description: 'x' })
  unconverted(@McpArg('x', { pipes: [new Positive()] }) x: number): string {
    return record(x);
  }

  @McpTool({ description: 'x' })
  stated(@McpArg('x', { schema: 'integer', pipes: [ParseIntPipe] }) x: number): string {
    return record(x);
  }

  @McpPrompt()
  prompt(@McpArg('x', { pipes: [ParseIntPipe] }) x: number): string {
    return record(x);
  }
}

describe('A-2: the pipes of a parameter judge what comes in, as on a route', () => {
  let testing: McpTestingApp | undefined;
  let fault: Error | undefined;
  beforeAll(async () => {
    const pairs = Object.keys(PARAMETERS).map(both);
    const options = { providers: [Written, ...pairs.map(([tools]) => tools)], controllers: pairs.map(([, routes]) => routes) };
    testing = await createMcpTestingApp(options).catch((error: Error) => void (fault = error));
  });
  beforeEach(() => {
    seen = undefined;
    expect(fault).toBeUndefined();
  });
  afterAll(() => testing?.close());

  it.each(Object.keys(PARAMETERS))('%s', async (name) => {
    const client = testing!.client();
    for (const value of PARAMETERS[name]![2]) {
      seen = undefined;
      const body = JSON.stringify({ x: value });
      const { status } = await fetch(new URL(`/${name}`, testing!.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const onRoute = { value, refused: status >= 400, seen };
      seen = undefined;
      const { result } = await client.callTool(name, JSON.parse(body) as never);
      expect({ value, refused: result?.isError === true, seen }).toEqual(onRoute);
    }
  });

  it('clients are told what the pipes make of it', async () => {
    const { result } = await testing!
      .client()
      .request<{ tools: { name: string; inputSchema: { properties: object; required?: string[] } }[] }>('tools/list');
    const told = Object.fromEntries(
      result!.tools.map(({ name, inputSchema }) => [name, { ...inputSchema.properties, required: inputSchema.required }]),
    );
    const required = ['x'];
    expect(told).toMatchObject({
      int: { x: { type: 'integer' }, required },
      optionalInt: { x: { type: 'integer' }, required: undefined },
      numbers: { x: { type: 'array', items: { type: 'number' } }, required },
      uuid: { x: { type: 'string', format: 'uuid' } },
      colour: { x: { enum: ['red', 'blue'] } },
      date: { x: { type: 'string', format: 'date-time' } },
      defaulted: { x: { type: 'integer', default: 10 }, required: undefined },
      percent: { x: { type: 'number' }, required },
    });
  });

  it('pipes may stand behind the name, as in @Body', async () => {
    const client = testing!.client();
    await client.callTool('asOnARoute', { x: '5' });
    expect(seen).toBe(5);
    await client.callTool('asOnARoute', {});
    expect(seen).toBe(2);
  });

  it('a text that no pipe converts is refused before the body', async () => {
    const { result } = await testing!.client().callTool('unconverted', { x: '5' });
    expect([result?.isError, result?.content?.[0]?.text, seen]).toEqual([true, expect.stringContaining('x: must be number'), undefined]);
  });

  it('a schema that the author wrote is checked before the pipes', async () => {
    const { result } = await testing!.client().callTool('stated', { x: '5' });
    expect([result?.isError, seen]).toEqual([true, undefined]);
  });

  it('a prompt, whose arguments are always text', async () => {
    await testing!.client().request('prompts/get', { name: 'prompt', arguments: { x: '007' } });
    expect(seen).toBe(7);
  });
});
