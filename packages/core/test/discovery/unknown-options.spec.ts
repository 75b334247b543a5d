import {
  McpArg,
  McpArgs,
  McpComplete,
  McpDefinitionsError,
  McpField,
  McpModule,
  McpPrompt,
  McpRegistrar,
  McpResource,
  McpResourceTemplate,
  McpTool,
  type McpModuleAsyncOptions,
  type McpModuleOptions,
} from '@mocapi/core';
import { createMcpTestingApp } from '@mocapi/testing';
import { Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { IsString } from 'class-validator';

/** The faults that the boot of these modules and providers ends in, as `place: problem | fix`. */
async function faultsOf(module: DynamicModule, providers: Type[] = []): Promise<string[]> {
  @Module({ imports: [module], providers })
  class App {}
  let app: NestFastifyApplication | undefined;
  try {
    const compiled = await Test.createTestingModule({ imports: [App] }).compile();
    app = compiled.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
    await app.init();
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(McpDefinitionsError);
    return (error as McpDefinitionsError).faults.map(({ where, problem, fix }) => `${where}: ${problem} | ${fix}`);
  } finally {
    await app?.close();
  }
}

const SERVER = { name: 'shop', version: '1' };
/** Options as JavaScript writes them, or TypeScript that spreads them in. */
const unchecked = (options: object): never => options as never;
/** The same, to be spread into others. */
const extra = (options: object): object => options;

describe('an option that does not exist is a fault at startup', () => {
  const misspelt: McpModuleOptions = unchecked({
    ...SERVER,
    titel: 'Shop',
    pageSize: 0,
    limits: { maxBodyByte: 1 },
    rateLimit: { callers: 1, calls: { perSecond: 1, burst: 1, bursts: 2 } },
    shutdown: { notce: 1 },
    cache: { lisTtl: 1 },
    requestState: { tll: 'PT1M' },
  });
  const faults = [
    'McpModule titel: this option does not exist | Did you mean title?',
    'McpModule limits.maxBodyByte: this option does not exist | Did you mean maxBodyBytes?',
    expect.stringMatching(/^McpModule rateLimit\.callers: this option does not exist \| (?!$)/),
    'McpModule rateLimit.calls.bursts: this option does not exist | Did you mean burst?',
    'McpModule shutdown.notce: this option does not exist | Did you mean notice?',
    'McpModule cache.lisTtl: this option does not exist | Did you mean listTtl?',
    'McpModule requestState.tll: this option does not exist | Did you mean ttl?',
    expect.stringMatching(/^McpModule pageSize: 0 is not/),
  ];

  it('of McpModule.forRoot, listed with its other mistakes', async () => {
    expect(await faultsOf(McpModule.forRoot(misspelt))).toEqual(faults);
  });

  it('of what the factory of McpModule.forRootAsync returns', async () => {
    expect(await faultsOf(McpModule.forRootAsync({ useFactory: () => misspelt }))).toEqual(faults);
  });

  it('of McpModule.forRootAsync itself', async () => {
    const options: McpModuleAsyncOptions = unchecked({ useFactry: () => SERVER, pageSize: 5 });
    expect(await faultsOf(McpModule.forRootAsync(options))).toEqual([
      expect.stringMatching(/^McpModule\.forRootAsync useFactry: this option does not exist here.* \| Did you mean useFactory\?$/),
      expect.stringMatching(
        /^McpModule\.forRootAsync pageSize: .* \| Remove it, or write one of inject, useFactory, useClass, useExisting\.$/,
      ),
    ]);
  });

  it('of every decorator, all in one list', async () => {
    class Query {
      @IsString() @McpField(unchecked({ descripton: 'x' })) words!: string;
      @IsString() @McpField(unchecked({ exmples: ['x'], titel: undefined })) shop!: string;
    }
    @Injectable()
    class Handlers {
      @McpTool({ description: 'x', ...extra({ titel: 'x' }) })
      tool(@McpArg('id', unchecked({ descripton: 'x', schema: 'string' })) id: string): string {
        return id;
      }

      @McpTool({ description: 'x' })
      search(@McpArgs() query: Query): string {
        return query.words;
      }

      @McpPrompt(unchecked({ outputSchema: {} }))
      prompt(@McpArgs(unchecked({ pipe: [], schema: { type: 'object', properties: { id: { type: 'string' } } } })) args: object): string {
        return JSON.stringify(args);
      }

      @McpResource({ uri: 'app://one', cache: unchecked({ tll: 'PT1M' }), ...extra({ sise: 1 }) })
      resource(): string {
        return '';
      }

      @McpResourceTemplate({ uriTemplate: 'app://{id}/x', ...extra({ mimetype: 'text/plain' }) })
      template(@McpArg('id') id: string): string {
        return id;
      }

      @McpComplete(unchecked({ prompt: 'prompt', argument: 'id', template: undefined, argment: 'id' }))
      complete(): string[] {
        return [];
      }
    }
    expect((await faultsOf(McpModule.forRoot(SERVER), [Handlers])).toSorted()).toEqual(
      [
        'Handlers.tool: @McpTool has no option "titel" | Did you mean title?',
        'Handlers.tool: @McpArg(\'id\') has no option "descripton" | Did you mean description?',
        'Query.words: @McpField has no option "descripton" | Did you mean description?',
        'Query.shop: @McpField has no option "exmples" | Did you mean examples?',
        'Handlers.prompt: @McpPrompt has no option "outputSchema" | Remove it, or write one of name, title, description, icons, _meta, inputSchema.',
        'Handlers.prompt: @McpArgs has no option "pipe" | Did you mean pipes?',
        'Handlers.resource: @McpResource has no option "sise" | Did you mean size?',
        'Handlers.resource: @McpResource cache has no option "tll" | Did you mean ttl?',
        'Handlers.template: @McpResourceTemplate has no option "mimetype" | Did you mean mimeType?',
        'Handlers.complete: @McpComplete has no option "argment" | Did you mean argument?',
      ].toSorted(),
    );
  });

  it('of a handler that is added at run time, which is then not added', async () => {
    const testing = await createMcpTestingApp({ options: SERVER });
    const added = testing.app.get(McpRegistrar).addTool({
      name: 'late',
      description: 'x',
      handler: () => 'x',
      ...extra({ titel: 'x' }),
    });
    await expect(added).rejects.toThrow(/McpRegistrar, tool "late": @McpTool has no option "titel"\n +Did you mean title\?/);
    await testing.close();
  });
});
