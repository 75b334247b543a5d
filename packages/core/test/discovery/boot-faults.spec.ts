import {
  McpArg,
  McpArgs,
  McpContext,
  McpDefinitionsError,
  McpModule,
  McpTool,
  type DefinitionFault,
  type McpToolContext,
  type McpToolOptions,
} from '@mocapi/core';
import { McpHandlerExtension, McpSeam, ToolRegistry, type HandlerCustomizer, type HandlerUnderConstruction } from '@mocapi/core/extension';
import { createMcpTestingApp, type McpTestingApp, type McpTestingParts } from '@mocapi/testing';
import {
  Controller,
  Get,
  Headers,
  Inject,
  Injectable,
  Query,
  Req,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import Fastify from 'fastify';
import type { MessageDispatcher } from '../../src/dispatch/message-dispatcher.js';
import type { FastifyInstance } from '../../src/transport/streamable-http/fastify.js';
import { registerStreamableHttp } from '../../src/transport/streamable-http/register-streamable-http.js';

let testing: McpTestingApp | undefined;
afterEach(async () => {
  await testing?.close();
  testing = undefined;
});

async function boot(parts: McpTestingParts): Promise<McpTestingApp> {
  testing = await createMcpTestingApp(parts);
  return testing;
}

/** The faults that a boot with these providers ends in. */
async function faultsOf(...providers: NonNullable<McpTestingParts['providers']>): Promise<readonly DefinitionFault[]> {
  const error: unknown = await boot({ providers }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(McpDefinitionsError);
  const { faults, message } = error as McpDefinitionsError;
  for (const { where, problem, fix } of faults) {
    expect(message).toContain(`${where}: ${problem}`);
    expect(fix).not.toBe('');
  }
  return faults;
}

/** A tool class with one method, to be decorated. */
function toolClass(options: Partial<McpToolOptions> = {}): Type {
  @Injectable()
  class Tools {
    @McpTool({ description: 'x', ...options })
    tool(): string {
      return 'done';
    }
  }
  return Tools;
}

describe('names', () => {
  it('that stand twice are a fault that names both places', async () => {
    class One {
      @McpTool({ description: 'x', name: 'same' }) first(): void {}
    }
    class Two {
      @McpTool({ description: 'x', name: 'same' }) second(): void {}
    }
    expect(await faultsOf(One, Two)).toEqual([
      expect.objectContaining({ where: 'Two.second', problem: 'the tool name "same" is already used by One.first' }),
    ]);
  });

  it.each(['', 'with space', 'sl/ash', 'ünlaut', 'x'.repeat(129)])('that the revision does not allow are a fault: "%s"', async (name) => {
    expect(await faultsOf(toolClass({ name }))).toEqual([
      expect.objectContaining({ where: 'Tools.tool', problem: expect.stringContaining(`"${name}"`) }),
    ]);
  });

  it.each(['a', 'A.b-c_9', 'x'.repeat(128)])('of every allowed form are taken: "%s"', async (name) => {
    const { app } = await boot({ providers: [toolClass({ name })] });
    expect(app.get(ToolRegistry).byKey.get(name)).toBeDefined();
  });

  it('of a subclass that inherits a tool beside its base collide', async () => {
    class Base {
      @McpTool({ description: 'x' }) shared(): void {}
    }
    class Heir extends Base {}
    expect(await faultsOf(Base, Heir)).toEqual([
      expect.objectContaining({ where: 'Heir.shared', problem: expect.stringContaining('Base.shared') }),
    ]);
  });
});

describe('a description', () => {
  it.each([undefined, '', '  '])('that is missing is a fault: %j', async (description) => {
    expect(await faultsOf(toolClass({ description: description as never }))).toEqual([
      expect.objectContaining({ where: 'Tools.tool', problem: 'the tool has no description' }),
    ]);
  });
});

describe('parameters', () => {
  it('that nothing marks are a fault each, those with a default included', async () => {
    class Tools {
      @McpTool({ description: 'x' })
      tool(@McpContext() _ctx: McpToolContext, _second: string, _third = 3): void {}
    }
    expect((await faultsOf(Tools)).map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^parameter 2 has no decorator/),
      expect.stringMatching(/^parameter 3 has no decorator/),
    ]);
  });

  it("that Nest's decorators for HTTP mark are a fault each", async () => {
    @Controller()
    class Tools {
      @McpTool({ description: 'x' })
      tool(@Query('q') _q: string, @Headers() _headers: object, @Req() _request: object): void {}
    }
    expect((await faultsOf(Tools)).map(({ problem }) => problem)).toEqual(
      [1, 2, 3].map((index) => expect.stringMatching(new RegExp(`^parameter ${index} has a decorator that reads HTTP`))),
    );
  });

  class OfObject {
    @McpTool({ description: 'x' }) tool(@McpArgs() _args: object): void {}
  }
  class OfArray {
    @McpTool({ description: 'x' }) tool(@McpArg('list') _list: string[]): void {}
  }
  class OfUnion {
    @McpTool({ description: 'x' }) tool(@McpArg('id') _id: string | number): void {}
  }
  class OfPrimitive {
    @McpTool({ description: 'x' }) tool(@McpArgs() _args: string): void {}
  }
  class OfUnknown {
    @McpTool({ description: 'x' }) tool(@McpArg('any') _any: unknown): void {}
  }
  class OfDate {
    @McpTool({ description: 'x' }) tool(@McpArg('at') _at: Date): void {}
  }

  it.each<[string, Type]>([
    ['an object type', OfObject],
    ['an array', OfArray],
    ['a union', OfUnion],
    ['a primitive as the whole', OfPrimitive],
    ['unknown', OfUnknown],
    ['a Date', OfDate],
  ])('whose type is not certain at run time are a fault: %s', async (_what, Tools) => {
    expect(await faultsOf(Tools)).toEqual([
      expect.objectContaining({ problem: expect.stringMatching(/type of parameter 1 cannot be determined/) }),
    ]);
  });

  it('of an enum type without a common type are a fault', async () => {
    enum Mixed {
      One = 1,
      Two = 'two',
    }
    class Tools {
      @McpTool({ description: 'x' }) tool(@McpArg('mixed') _mixed: Mixed): void {}
    }
    expect(await faultsOf(Tools)).toEqual([expect.objectContaining({ problem: expect.stringMatching(/cannot be determined/) })]);
  });

  it('of an uncertain type pass when their schema is said', async () => {
    class Tools {
      @McpTool({ description: 'x' })
      tool(@McpArg('list', { schema: { type: 'array', items: { type: 'string' } } }) _list: string[]): void {}
    }
    const { client } = await boot({ providers: [Tools] });
    const { result } = await client().listTools();
    expect(result?.tools[0]?.inputSchema).toMatchObject({ properties: { list: { type: 'array' } }, required: ['list'] });
  });
});

describe('an enhancer that cannot be had', () => {
  const missing = Symbol('missing');

  @Injectable()
  class NeedsMissing {
    constructor(@Inject(missing) _dependency: unknown) {}

    canActivate = (): boolean => true;
    intercept = (_context: unknown, next: { handle(): unknown }): unknown => next.handle();
    transform = (value: unknown): unknown => value;
    catch(): void {}
  }
  class Unusable {}

  const kinds: [string, (enhancer: never) => MethodDecorator][] = [
    ['guard', UseGuards],
    ['interceptor', UseInterceptors],
    ['pipe', UsePipes],
    ['filter', UseFilters],
  ];

  it.each(kinds)('is a fault that names it, and never left out in silence: a %s', async (kind, use) => {
    class Tools {
      @McpTool({ description: 'x' })
      @use(NeedsMissing as never)
      tool(): void {}
    }
    // A factory's product: Nest itself resolves none of its enhancers.
    expect(await faultsOf({ provide: 'tools', useFactory: () => new Tools() })).toEqual([
      expect.objectContaining({ where: 'Tools.tool', problem: expect.stringContaining(`the ${kind} NeedsMissing cannot be resolved`) }),
    ]);
  });

  it('is a fault when it has not the method of its kind', async () => {
    class Tools {
      @McpTool({ description: 'x' })
      @UseGuards(Unusable)
      tool(): void {}
    }
    expect(await faultsOf({ provide: 'tools', useFactory: () => new Tools() })).toEqual([
      expect.objectContaining({ problem: expect.stringContaining('it has no method canActivate()') }),
    ]);
  });

  it('is a fault as the pipe of a parameter too', async () => {
    class Tools {
      @McpTool({ description: 'x' })
      tool(@McpArg('n', { pipes: [NeedsMissing as never] }) _n: number): void {}
    }
    expect(await faultsOf({ provide: 'tools', useFactory: () => new Tools() })).toEqual([
      expect.objectContaining({ problem: expect.stringContaining('the pipe NeedsMissing') }),
    ]);
  });
});

describe('a request-scoped global enhancer', () => {
  @Injectable({ scope: Scope.REQUEST })
  class Enhancer {
    canActivate = (): boolean => true;
    intercept = (_context: unknown, next: { handle(): unknown }): unknown => next.handle();
    transform = (value: unknown): unknown => value;
    catch(): void {}
  }
  const tools = { provide: 'tools', useFactory: () => new (toolClass())() as object };

  it.each([APP_GUARD, APP_INTERCEPTOR, APP_PIPE, APP_FILTER])(
    'is a fault around a tool that Nest would not apply it to, and never skipped in silence: %s',
    async (token) => {
      expect(await faultsOf(tools, { provide: token, useClass: Enhancer })).toEqual([
        expect.objectContaining({ where: 'Tools.tool', problem: expect.stringContaining(`a request-scoped ${token} would be skipped`) }),
      ]);
      await boot({ providers: [toolClass(), { provide: token, useClass: Enhancer }] });
    },
  );

  it('is one fault for all that would be skipped', async () => {
    const [guard, filter] = [APP_GUARD, APP_FILTER].map((token) => ({ provide: token, useClass: Enhancer }));
    expect(await faultsOf(tools, guard!, filter!)).toEqual([
      expect.objectContaining({ problem: expect.stringContaining('a request-scoped APP_GUARD, APP_FILTER would be skipped') }),
    ]);
  });
});

describe('placeholders', () => {
  it('are resolved in name, title and description', async () => {
    const Tools = toolClass({ name: '${TOOL:named}', title: '${TITLE:A title}', description: 'Does ${WHAT:this}' });
    const { client } = await boot({ providers: [Tools] });
    expect((await client().listTools()).result?.tools).toEqual([
      expect.objectContaining({ name: 'named', title: 'A title', description: 'Does this' }),
    ]);
  });

  it('without a value are a fault that names the key', async () => {
    expect(await faultsOf(toolClass({ description: '${NOWHERE_SET}' }))).toEqual([
      expect.objectContaining({ where: 'Tools.tool', problem: expect.stringContaining('${NOWHERE_SET} has no value') }),
    ]);
  });
});

describe("an extension's mark", () => {
  const Extended = (): MethodDecorator => McpHandlerExtension({ decorator: '@Extended', fix: 'Import ExtensionModule.forRoot().' });

  class Marked {
    @McpTool({ description: 'x' })
    @Extended()
    tool(): void {}
  }

  it('that nothing claims is a fault with its fix', async () => {
    expect(await faultsOf(Marked)).toEqual([
      { where: 'Marked.tool', problem: 'no imported module handles @Extended', fix: 'Import ExtensionModule.forRoot().' },
    ]);
  });

  it('on a method that is no tool is a fault', async () => {
    class NoTool {
      @Extended()
      method(): void {}
    }
    expect(await faultsOf(NoTool)).toEqual([
      expect.objectContaining({ where: 'NoTool.method', problem: '@Extended is on a method that is not a tool' }),
    ]);
  });

  it('that a customizer claims is none, and the customizer may keep what it knows', async () => {
    const key = Symbol('extension');
    @McpSeam('handler-customizer')
    @Injectable()
    class Customizer implements HandlerCustomizer {
      customize(handler: HandlerUnderConstruction): void {
        handler.claim('@Extended');
        handler.extend(key, handler.where);
      }
    }
    const { app } = await boot({ providers: [Marked, Customizer] });
    expect(app.get(ToolRegistry).byKey.get('tool')?.extensions.get(key)).toBe('Marked.tool');
  });
});

describe('a path that is taken', () => {
  const endpointAt = (app: FastifyInstance, path: string): unknown =>
    registerStreamableHttp(app, { path, dispatcher: {} as MessageDispatcher });

  it('by a controller is a fault that names its methods, listed with the others', async () => {
    @Controller()
    class Pages {
      @Get('mcp') page(): string {
        return 'a page';
      }
    }
    const booting = boot({ controllers: [Pages], providers: [toolClass({ description: '' })] });
    const error = await booting.catch((thrown: unknown) => thrown as McpDefinitionsError);
    expect((error as McpDefinitionsError).faults).toEqual([
      expect.objectContaining({ where: 'Tools.tool' }),
      expect.objectContaining({ where: 'McpModule path', problem: expect.stringContaining('its own route at /mcp (GET, HEAD)') }),
    ]);
  });

  it.each<[string, (app: FastifyInstance) => unknown]>([
    ['by a plugin that adds it while Fastify boots', (app) => app.register(async (scope) => void scope.get('/mcp', async () => 'a page'))],
    ['by an endpoint whose path this router takes for the same', (app) => endpointAt(app, '/MCP')],
  ])('%s is a fault too', async (_case, occupy) => {
    const app = Fastify({ routerOptions: { caseSensitive: false } }) as unknown as FastifyInstance;
    void occupy(app);
    endpointAt(app, '/mcp');
    await expect(app.ready()).rejects.toThrow(/McpModule path: the app has its own route at \/mcp/);
  });

  it('by another McpModule is a fault, unless each has an endpoint and a path of its own', async () => {
    const second = (path: string): McpTestingParts => ({
      imports: [McpModule.forRoot({ endpoint: 'second', name: 'second', version: '1', path })],
      providers: [toolClass()],
    });
    await expect(boot(second('/mcp'))).rejects.toThrow(/the path "\/mcp" is used by more than one McpModule/);
    const { client } = await boot(second('/other'));
    expect((await client().listTools()).result?.tools).toHaveLength(1);
  });
});

describe('every fault is reported at once', () => {
  it('of all classes and all kinds', async () => {
    class Broken {
      @McpTool({ description: '' }) undescribed(_unmarked: string): void {}
      @McpTool({ description: 'x', name: 'bad name' }) named(): void {}
      @McpTool({ description: 'x' }) twice(): void {}
    }
    class AlsoBroken {
      @McpTool({ description: 'x', name: 'twice' }) again(): void {}
      @McpTool({ description: 'x' }) uncertain(@McpArg('a') _a: string[], @McpArg('b') _b: object): void {}
      @McpTool({ description: '${NOWHERE_SET}' }) unresolved(): void {}
    }
    expect((await faultsOf(Broken, AlsoBroken)).map(({ where }) => where).toSorted()).toEqual([
      'AlsoBroken.again',
      'AlsoBroken.uncertain',
      'AlsoBroken.uncertain',
      'AlsoBroken.unresolved',
      'Broken.named',
      'Broken.undescribed',
      'Broken.undescribed',
    ]);
  });

  it('of a tool whose schema cannot be made, its name included', async () => {
    class Broken {
      @McpTool({ description: '', name: 'same' })
      one(@McpArg('a') _a: string[]): void {}

      @McpTool({ description: 'x', name: 'same' }) two(): void {}
    }
    expect((await faultsOf(Broken)).map(({ where, problem }) => `${where}: ${problem}`)).toEqual([
      expect.stringContaining('no description'),
      expect.stringContaining('cannot be determined'),
      expect.stringContaining('"same" is already used'),
    ]);
  });
});

describe('the tools that are found', () => {
  it('are listed in the order of their declaration', async () => {
    const names = ['b', 'a', 'c'];
    const { client } = await boot({ providers: names.map((name) => toolClass({ name })) });
    const listed = (await client().listTools()).result?.tools.map(({ name }) => name);
    expect(listed).toEqual(names);
  });

  it('are frozen once the server is up', async () => {
    const { app } = await boot({ providers: [toolClass()] });
    const tool = app.get(ToolRegistry).byKey.get('tool')!;
    expect(Object.isFrozen(tool) && Object.isFrozen(tool.descriptor)).toBe(true);
  });

  it('of a private kind or an accessor are not looked at', async () => {
    class Tools {
      get trap(): never {
        throw new Error('looked at');
      }

      @McpTool({ description: 'x' }) tool(): void {}
    }
    const { client } = await boot({ providers: [Tools] });
    expect((await client().listTools()).result?.tools).toHaveLength(1);
  });
});
