import { McpArg, McpArgs, McpField, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { IsEnum } from 'class-validator';

enum Colour {
  Red = 'red',
  Blue = 'blue',
}
enum Level {
  Low,
  High,
}

class Painting {
  @IsEnum(Colour) colour!: Colour;
  @IsEnum(Level) level!: Level;
  @McpField({ enum: Level }) field!: Level;
}

/** A tool whose parameters have the types that a compiler emitted. */
function emitted(types: readonly unknown[], options: object = {}): new () => object {
  class Tools {
    run(colour: Colour, level: Level): string {
      return `${colour} ${level}`;
    }
  }
  McpArg('colour', options)(Tools.prototype, 'run', 0);
  McpArg('level', options)(Tools.prototype, 'run', 1);
  McpTool({ description: 'x' })(Tools.prototype, 'run', Object.getOwnPropertyDescriptor(Tools.prototype, 'run')!);
  Reflect.defineMetadata('design:paramtypes', types, Tools.prototype, 'run');
  Injectable()(Tools);
  return Tools;
}

async function withApp<T>(tools: new () => object, use: (testing: McpTestingApp) => Promise<T>): Promise<T | string> {
  const testing = await createMcpTestingApp({ providers: [tools] }).catch((error: unknown) => error as Error);
  if (testing instanceof Error) return testing.message;
  return use(testing).finally(() => testing.close());
}

const propertiesOf = (tools: new () => object): Promise<unknown> =>
  withApp(tools, async (testing) => (await testing.client().listTools()).result!.tools[0]!.inputSchema.properties);

describe('A-14: a TypeScript enum is advertised with its values, and nothing else is let in', () => {
  it('SWC emits a string enum as String and an imported one as the enum itself: that one is known', async () => {
    const both = { colour: { type: 'string', enum: ['red', 'blue'] }, level: { type: 'number', enum: [0, 1] } };
    expect(await propertiesOf(emitted([Colour, Level]))).toEqual(both);
  });

  it('tsc emits String and Number: `enum` tells', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      run(@McpArg('colour', { enum: Colour }) colour: Colour, @McpArg('level', { enum: Level }) level: Level): string {
        return `${colour} ${level}`;
      }
    }
    expect(await propertiesOf(Tools)).toEqual({
      colour: { type: 'string', enum: ['red', 'blue'] },
      level: { type: 'number', enum: [0, 1] },
    });
    const refused = await withApp(Tools, async (testing) => (await testing.client().callTool('run', { colour: 'pink', level: 0 })).raw);
    expect(refused).toMatch(/colour.*red.*blue/);
  });

  it('properties of a DTO: @IsEnum, or @McpField({ enum })', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      run(@McpArgs() painting: Painting): string {
        return painting.colour;
      }
    }
    const level = { type: 'number', enum: [0, 1] };
    expect(await propertiesOf(Tools)).toEqual({ colour: { type: 'string', enum: ['red', 'blue'] }, level, field: level });
  });

  it('an enum of texts and numbers, emitted as Object: the fault says what to write', async () => {
    expect(await propertiesOf(emitted([Object, Object]))).toMatch(/enum: TheEnum/);
  });
});
