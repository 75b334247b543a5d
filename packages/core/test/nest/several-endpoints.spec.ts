import { PassThrough } from 'node:stream';
import {
  McpComplete,
  McpContext,
  McpEndpoint,
  mcpEndpointToken,
  McpModule,
  McpNotifier,
  McpPrincipalSource,
  McpPrompt,
  McpRegistrar,
  McpResource,
  McpStdio,
  McpTool,
  type McpModuleComposition,
  type McpModuleOptions,
  type McpPrincipal,
  type McpResult,
  type McpToolContext,
} from '@mocapi/core';
import { McpSeam, type DispatchContext, type McpDispatchInterceptor } from '@mocapi/core/extension';
import { accept, answerInput, createMcpTestingApp, type McpTestingApp, type McpTestingParts } from '@mocapi/testing';
import { ForbiddenException, Inject, Injectable, Module, Scope, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD, REQUEST } from '@nestjs/core';
import { ask } from '../support/questions.js';
import { request } from '../transport/stdio-harness.js';

const ADMIN = '/admin/mcp';
const admin = (options: Partial<McpModuleOptions & McpModuleComposition> = {}) =>
  McpModule.forRoot({ endpoint: 'admin', name: 'admin-server', version: '2.0.0', path: ADMIN, ...options });

let testing: McpTestingApp | undefined;
const start = async (parts: McpTestingParts): Promise<McpTestingApp> => (testing = await createMcpTestingApp(parts));
afterEach(async () => {
  await testing?.close();
  testing = undefined;
});

@Injectable()
class PublicTools {
  @McpTool({ description: 'x' }) search(): string {
    return 'found';
  }
  @McpTool({ description: 'of the same name' }) status(): string {
    return 'public status';
  }
}

@Injectable()
class AdminTools {
  @McpTool({ description: 'x' }) erase(): string {
    return 'erased';
  }
  @McpTool({ description: 'of the same name' }) status(): string {
    return 'admin status';
  }
  @McpPrompt() report(): string {
    return 'report';
  }
  @McpResource({ uri: 'admin:log' }) log(): string {
    return 'log';
  }
}

@Injectable()
@McpEndpoint('admin')
class MarkedTools {
  @McpTool({ description: 'x' }) marked(): string {
    return 'marked';
  }
}

@Injectable()
@McpEndpoint('root', 'admin')
class SharedTools {
  @McpTool({ description: 'x' }) async shared(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ask(ctx, 'q')).action;
  }
}

const tools = async (path?: string): Promise<string[]> => {
  const { result } = await testing!.client(path === undefined ? {} : { path }).listTools();
  return result!.tools.map(({ name }) => name).toSorted();
};
const text = async (tool: string, path?: string): Promise<string | undefined> =>
  (await testing!.client(path === undefined ? {} : { path }).callTool(tool)).result?.content?.[0]?.text;

const feature = (...providers: (new () => object)[]) => McpModule.forFeature({ endpoint: 'admin', providers });

describe('an application with several endpoints', () => {
  it('offers the handlers of each at its own path, and nowhere else', async () => {
    await start({ imports: [admin(), feature(AdminTools)], providers: [PublicTools] });
    expect(await tools()).toEqual(['search', 'status']);
    expect(await tools(ADMIN)).toEqual(['erase', 'status']);
    expect([await text('status'), await text('status', ADMIN)]).toEqual(['public status', 'admin status']);
    expect((await testing!.client().callTool('erase')).error).toMatchObject({ code: -32602 });
    expect((await testing!.client({ path: ADMIN }).callTool('search')).error).toMatchObject({ code: -32602 });
  });

  it('has a name, a version, instructions and capabilities for each', async () => {
    await start({ imports: [admin({ instructions: 'Take care' }), feature(AdminTools)], providers: [PublicTools] });
    const own = (await testing!.client().discover()).result!;
    const other = (await testing!.client({ path: ADMIN }).discover()).result!;
    const infoOf = (result: Record<string, any>) => Object.values(result._meta as object)[0] as object;
    expect([infoOf(own), infoOf(other)]).toMatchObject([{ name: 'testing' }, { name: 'admin-server', version: '2.0.0' }]);
    expect([own.instructions, other.instructions]).toEqual([undefined, 'Take care']);
    expect([Object.keys(own.capabilities), Object.keys(other.capabilities)]).toEqual([['tools'], ['tools', 'prompts', 'resources']]);
    expect((await testing!.client().request('prompts/list')).error).toMatchObject({ code: -32601 });
    expect((await testing!.client({ path: ADMIN }).request('prompts/list')).result!.prompts).toHaveLength(1);
  });

  it('takes a class where its mark says, whichever module provides it, and at several if it names several', async () => {
    await start({ imports: [admin()], providers: [PublicTools, MarkedTools, SharedTools] });
    expect(await tools()).toEqual(['search', 'shared', 'status']);
    expect(await tools(ADMIN)).toEqual(['marked', 'shared']);
  });

  it('takes what the module of an endpoint provides for that endpoint', async () => {
    await start({ imports: [admin({ providers: [AdminTools] })], providers: [PublicTools] });
    expect(await tools(ADMIN)).toEqual(['erase', 'status']);
  });

  it('is made of options that are injected, too', async () => {
    const other = McpModule.forRootAsync({ endpoint: 'admin', useFactory: () => ({ name: 'late', version: '1', path: ADMIN }) });
    await start({ imports: [other, feature(AdminTools)], providers: [PublicTools] });
    expect(await tools(ADMIN)).toEqual(['erase', 'status']);
  });
});

describe('the guards of an endpoint', () => {
  const closed: CanActivate = {
    canActivate: (context: ExecutionContext) => {
      if (context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers['x-admin'] !== 'yes')
        throw new ForbiddenException();
      return true;
    },
  };

  it('guard it alone, all its methods, and a handler that both offer', async () => {
    await start({ imports: [admin({ guards: [closed] })], providers: [PublicTools, SharedTools] });
    const outside = testing!.client({ path: ADMIN });
    const answers = [await outside.discover(), await outside.listTools(), await outside.callTool('shared')];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await testing!.client().callTool('shared')).status).toBe(200);
    expect((await testing!.client({ path: ADMIN, headers: { 'x-admin': 'yes' } }).callTool('shared')).status).toBe(200);
  });

  it('leave the principal to the source of the endpoint, or else to that of the application', async () => {
    const seen: (string | undefined)[] = [];
    class Says extends McpPrincipalSource {
      constructor(private readonly id: string) {
        super();
      }
      resolve(): McpPrincipal {
        return { id: this.id };
      }
    }
    @Injectable()
    @McpSeam('handler-customizer')
    class Notes {
      customize(handler: {
        intercept(stratum: string, run: (execution: { principal?: McpPrincipal }, next: () => unknown) => unknown): void;
      }) {
        handler.intercept('authorization', (execution, next) => (seen.push(execution.principal?.id), next()));
      }
    }
    const source = (id: string) => ({ provide: McpPrincipalSource, useValue: new Says(id) });
    const third = McpModule.forRoot({ endpoint: 'third', name: 't', version: '1', path: '/third', providers: [source('of third')] });
    await start({
      imports: [admin({ providers: [AdminTools] }), third, McpModule.forFeature({ endpoint: 'third', providers: [MarkedForThird] })],
      providers: [PublicTools, Notes],
      options: { providers: [source('of the app')] },
    });
    for (const [tool, path] of [['search'], ['erase', ADMIN], ['third', '/third']] as const) await text(tool, path);
    expect(seen).toEqual(['of the app', 'of the app', 'of third']);
  });
});

@Injectable()
class MarkedForThird {
  @McpTool({ description: 'x' }) third(): string {
    return 'third';
  }
}

describe('a question', () => {
  it('that was asked at one endpoint is answered there and at no other, though they share their keys', async () => {
    const keys = [{ id: 'k', key: Buffer.alloc(32, 7).toString('base64') }];
    const requestState = { keys } as NonNullable<McpModuleOptions['requestState']>;
    await start({ imports: [admin({ requestState })], providers: [SharedTools], options: { requestState } });
    const asked = await testing!.client().callTool('shared');
    const answers = { q: accept({ ok: true }) };
    expect((await answerInput(testing!.client({ path: ADMIN }), asked, answers)).error).toMatchObject({ code: -32602 });
    expect((await answerInput(testing!.client(), asked, answers)).result!.content![0]!.text).toBe('accept');
  });
});

describe('what is injected', () => {
  it('is the endpoint’s own in a module that is bound to it, and by its token anywhere', async () => {
    @Injectable()
    class Inside {
      constructor(@Inject(McpRegistrar) readonly registrar: McpRegistrar) {}
    }
    @Injectable()
    class Outside {
      constructor(
        @Inject(McpRegistrar) readonly own: McpRegistrar,
        @Inject(mcpEndpointToken('admin', McpRegistrar)) readonly others: McpRegistrar,
        @Inject(mcpEndpointToken('admin', McpNotifier)) readonly notifier: McpNotifier,
      ) {}
    }
    await start({
      imports: [admin(), McpModule.forFeature({ endpoint: 'admin', providers: [Inside] })],
      providers: [PublicTools, Outside],
    });
    const [inside, outside] = [testing!.app.get(Inside, { strict: false }), testing!.app.get(Outside)];
    expect(inside.registrar).toBe(outside.others);
    expect(outside.own).not.toBe(outside.others);

    const listening = await testing!.client({ path: ADMIN }).listen({ toolsListChanged: true });
    await listening.acknowledged();
    await inside.registrar.addTool({ name: 'late', description: 'x', handler: () => 'late' });
    expect((await listening.next()).method).toBe('notifications/tools/list_changed');
    await listening.close();
    expect([await tools(ADMIN), await tools()]).toEqual([['late'], ['search', 'status']]);
  });
});

describe('a seam', () => {
  const seen: string[] = [];
  abstract class Watches implements McpDispatchInterceptor {
    intercept({ endpoint, target }: DispatchContext, next: () => Promise<McpResult>): Promise<McpResult> {
      seen.push(`${this.constructor.name} at ${endpoint}: ${target?.name}`);
      return next();
    }
  }
  @Injectable()
  @McpSeam('dispatch-interceptor')
  class Everywhere extends Watches {}
  @Injectable()
  @McpSeam('dispatch-interceptor', { order: 1 })
  class OfTheModule extends Watches {}
  @Injectable()
  @McpEndpoint('admin')
  @McpSeam('dispatch-interceptor', { order: 2 })
  class Marked extends Watches {}

  it('is filled at every endpoint, unless its class or module belongs to one', async () => {
    await start({ imports: [admin(), feature(AdminTools, OfTheModule)], providers: [PublicTools, Everywhere, Marked] });
    await text('status');
    expect(seen.splice(0)).toEqual(['Everywhere at root: status']);
    await text('status', ADMIN);
    expect(seen.splice(0)).toEqual(['Everywhere at admin: status', 'OfTheModule at admin: status', 'Marked at admin: status']);
  });
});

describe('the boot fails', () => {
  @Module({ providers: [AdminTools] })
  class AdminModule {}
  const importing = (module: new () => object) => [admin(), McpModule.forFeature({ endpoint: 'admin', imports: [module] })];

  @Injectable()
  @McpEndpoint('admni')
  class Misspelt {
    @McpTool({ description: 'x' }) tool(): string {
      return 'x';
    }
  }
  @Injectable()
  @McpEndpoint('admin')
  class Completes {
    @McpComplete({ prompt: 'of_root', argument: 'a' }) complete(): string[] {
      return [];
    }
  }

  it.each<[string, McpTestingParts, RegExp]>([
    [
      'a class belongs to no endpoint that is opened',
      { imports: [admin()], providers: [Misspelt] },
      /Misspelt: it belongs to the endpoint "admni"/,
    ],
    [
      'a module is bound to none',
      { imports: [McpModule.forFeature({ endpoint: 'nowhere' })] },
      /endpoint "nowhere": the endpoint does not exist/,
    ],
    ['two have one name', { imports: [admin(), admin({ path: '/other' })] }, /the endpoint "admin" is used by more than one/],
    ['two have one path', { imports: [admin({ path: '/mcp' })] }, /the path "\/mcp" is used by more than one/],
    [
      'a handler stands in a module that another endpoint imports',
      { imports: importing(AdminModule) },
      /AdminTools.erase: it belongs to the endpoint "root", but a module of the endpoint "admin" imports/,
    ],
    [
      'a completer completes what another offers',
      { imports: [admin()], providers: [Completes] },
      /the prompt "of_root", which does not exist/,
    ],
  ])('when %s', async (_what, parts, message) => {
    await expect(start(parts)).rejects.toThrow(message);
  });

  it('when the name of an endpoint is no short word', () => {
    expect(() => admin({ endpoint: 'a b' })).toThrow('The endpoint name "a b" is not');
  });
});

describe('a handler in a module that another endpoint imports', () => {
  it('is the root’s when its class says so', async () => {
    @Injectable()
    @McpEndpoint('root')
    class Both {
      @McpTool({ description: 'x' }) both(): string {
        return 'x';
      }
    }
    @Module({ providers: [Both] })
    class SharedModule {}
    await start({ imports: [admin(), McpModule.forFeature({ endpoint: 'admin', imports: [SharedModule] })] });
    expect([await tools(), await tools(ADMIN)]).toEqual([['both'], []]);
  });
});

describe('what comes by another way', () => {
  it('is answered by the endpoint it came to: clients of 2025', async () => {
    await start({ imports: [admin(), feature(AdminTools)], providers: [PublicTools] });
    const url = testing!.client({ path: ADMIN }).url;
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'older', version: '1' } };
    const post = async (method: string, rest: object) =>
      (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: rest }) })).text();
    expect(await post('initialize', params)).toContain('"admin-server"');
    expect(await post('tools/list', {})).toContain('"erase"');
  });

  it('is answered by the endpoint that is asked for: stdio', async () => {
    await start({ imports: [admin(), feature(AdminTools)], providers: [PublicTools] });
    const list = async (endpoint?: string): Promise<string> => {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const served = McpStdio.serve(testing!.app, { input, output, ...(endpoint === undefined ? {} : { endpoint }) });
      input.end(`${JSON.stringify(request(1, 'tools/list'))}\n`);
      await served;
      return String(output.read());
    };
    expect(await list()).toContain('"search"');
    expect(await list('admin')).toContain('"erase"');
    await expect(list('nowhere')).rejects.toThrow('There is no endpoint "nowhere" to serve on stdio');
  });

  it('is guarded by a request-scoped APP_GUARD at each of them', async () => {
    const seen: string[] = [];
    @Injectable({ scope: Scope.REQUEST })
    class Guard implements CanActivate {
      constructor(@Inject(REQUEST) private readonly incoming: { url: string }) {}
      canActivate(): boolean {
        seen.push(this.incoming.url);
        return true;
      }
    }
    await start({ imports: [admin(), feature(AdminTools)], providers: [PublicTools, { provide: APP_GUARD, useClass: Guard }] });
    await tools();
    await text('erase', ADMIN);
    await tools(ADMIN);
    expect(seen).toEqual(['/mcp', ADMIN, ADMIN]);
  });
});
