import { McpArg, McpArgs, McpTool, type McpToolOptions } from '@mocapi/core';
import { createMcpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { IsString } from 'class-validator';

class Args {
  @IsString() text!: string;
}

/** A tool as a compiler leaves it that emits these types, or none. */
function toolWith(types: readonly unknown[] | undefined): new () => object {
  class Tools {
    run(args: Args): string {
      return args.text;
    }
  }
  McpArgs()(Tools.prototype, 'run', 0);
  McpTool({ description: 'x' })(Tools.prototype, 'run', Object.getOwnPropertyDescriptor(Tools.prototype, 'run')!);
  if (types) Reflect.defineMetadata('design:paramtypes', types, Tools.prototype, 'run');
  Injectable()(Tools);
  return Tools;
}

async function faultOf(tools: new () => object): Promise<string> {
  const testing = await createMcpTestingApp({ providers: [tools] }).catch((error: unknown) => error as Error);
  if (testing instanceof Error) return testing.message;
  await testing.close();
  return 'no fault';
}

describe('A-7: a parameter without a certain type names its cause and the setting', () => {
  it('no metadata at all: tsx, esbuild, vitest, SWC without it', async () => {
    const fault = await faultOf(toolWith(undefined));
    expect(fault).toMatch(/tsx, esbuild and vitest/);
    expect(fault).toMatch(/"emitDecoratorMetadata": true/);
    expect(fault).toMatch(/decoratorMetadata": true/);
  });

  it('import type', async () => {
    expect(await faultOf(toolWith([Object]))).toMatch(/"import type"/);
  });
});

describe('A-14: a generator is a boot fault', () => {
  it('that says what to do', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      async *run(): AsyncGenerator<string> {
        yield await Promise.resolve('a');
      }
    }
    expect(await faultOf(Tools)).toMatch(/generator .*ctx\.progress/s);
  });
});

describe('A-14: an argument with an initialiser is optional', () => {
  it('and gets its value', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      run(@McpArg('first') first: string, @McpArg('unit', { schema: 'string' }) unit = 'm'): string {
        return first + unit;
      }
    }
    const testing = await createMcpTestingApp({ providers: [Tools] });
    const { result } = await testing.client().callTool('run', { first: 'a' });
    await testing.close();
    expect(result).toMatchObject({ content: [{ text: 'am' }] });
  });
});

describe('X: a misused decorator says what is wrong', () => {
  it('no options: the description is missing, at boot', async () => {
    @Injectable()
    class Tools {
      @((McpTool as (options?: never) => MethodDecorator)())
      run(): string {
        return '';
      }
    }
    expect(await faultOf(Tools)).toMatch(/the tool has no description/);
  });

  it('a misspelt option', async () => {
    @Injectable()
    class Tools {
      @McpTool({ descripton: 'x' } as McpToolOptions)
      run(): string {
        return '';
      }
    }
    expect(await faultOf(Tools)).toMatch(/Tools\.run: @McpTool has no option "descripton"\n +Did you mean description\?/);
  });

  it('a static method', () => {
    expect(() => {
      class Tools {
        @McpTool({ description: 'x' })
        static run(): string {
          return '';
        }
      }
      return Tools;
    }).toThrow(/static method Tools\.run.*remove "static"/);
  });
});
