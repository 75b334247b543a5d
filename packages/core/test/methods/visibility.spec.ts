import {
  McpArg,
  McpComplete,
  McpPrompt,
  McpRegistrar,
  McpResource,
  McpResourceTemplate,
  McpTool,
  type JsonObject,
  type McpVisibility,
  type McpVisibilityContext,
} from '@mocapi/core';
import { PromptRegistry } from '@mocapi/core/extension';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { Injectable, Scope, SetMetadata, UnauthorizedException, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { deferred } from '../../../../test/support/flow.js';
import { SurfaceApp } from './surface-app.js';

const For = (...users: string[]) => SetMetadata('for', users);

/** Shows a handler to whom its metadata names, and lets in whom it shows it to. */
@Injectable()
class ForGuard implements CanActivate, McpVisibility {
  asked = 0;

  constructor(private readonly reflector: Reflector) {}

  canActivate(): boolean {
    return true;
  }

  canSee({ principal, getHandler, getClass }: McpVisibilityContext): boolean {
    this.asked += 1;
    const users = this.reflector.getAllAndOverride<string[] | undefined>('for', [getHandler(), getClass() as never]);
    return users === undefined || users.includes(principal?.id ?? '');
  }
}

@Injectable()
@UseGuards(ForGuard)
@For('ann')
class Hidden {
  @McpTool({ description: 'x' }) secretTool(): string {
    return 'secret';
  }

  @McpTool({ description: 'x' })
  @McpTask({ required: true })
  secretTask(): string {
    return 'secret';
  }

  @McpPrompt() secretPrompt(@McpArg('x', { schema: { enum: ['one'] } }) _x: string): string {
    return 'secret';
  }

  @McpComplete({ prompt: 'secretPrompt', argument: 'x' })
  xs(): string[] {
    return ['completed'];
  }

  @McpResource({ uri: 'app://secret' }) secretResource(): string {
    return 'secret';
  }

  @McpResourceTemplate({ uriTemplate: 'vault://{x}' }) vault(@McpArg('x', { schema: { enum: ['one'] } }) _x: string): string {
    return 'secret';
  }
}

@Injectable()
class Open {
  @McpTool({ description: 'x' }) openTool(): void {}
  @McpPrompt() openPrompt(): string {
    return '';
  }
  @McpResource({ uri: 'app://open' }) openResource(): string {
    return '';
  }
}

@Injectable()
class Door implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest().headers['x-user'] === undefined) throw new UnauthorizedException();
    return true;
  }
}

let app: SurfaceApp;
beforeAll(async () => {
  app = await SurfaceApp.start({
    imports: [McpTasksModule.forRoot()],
    providers: [Hidden, Open, ForGuard, { provide: APP_GUARD, useClass: Door }],
    options: { cache: { listTtl: 1000, scope: 'public' } },
  });
});
afterAll(() => app.close());

const LISTS = [
  ['tools/list', 'tools', 'openTool'],
  ['prompts/list', 'prompts', 'openPrompt'],
  ['resources/list', 'resources', 'openResource'],
  ['resources/templates/list', 'resourceTemplates', undefined],
] as const;

describe('what a guard hides', () => {
  it.each(LISTS)('is left out of %s, which is private', async (method, member, open) => {
    const names = async (user: string) => (await app.request(method, {}, user)).result![member].map(({ name }: { name: string }) => name);
    expect(await names('bob')).toEqual(open === undefined ? [] : [open]);
    expect((await names('ann')).length).toBeGreaterThan(open === undefined ? 0 : 1);
    expect((await app.request(method, {}, 'bob')).result).toMatchObject({ ttlMs: 1000, cacheScope: 'private' });
  });

  it('is there for whom it shows it to', async () => {
    expect((await app.request('tools/call', { name: 'secretTool' }, 'ann')).result?.content).toEqual([{ type: 'text', text: 'secret' }]);
    expect((await app.prompt('secretPrompt', { x: 'one' }, 'ann')).result).toBeDefined();
    expect((await app.read('app://secret', 'ann')).result).toBeDefined();
    expect((await app.read('vault://one', 'ann')).result).toBeDefined();
    expect((await app.complete('secretPrompt', { name: 'x', value: '' }, { user: 'ann' })).result!.completion.values).toEqual([
      'completed',
    ]);
  });

  const same = (one: { raw: string; status: number }, other: { raw: string; status: number }, names: [string, string]) => {
    const neutral = ({ raw, status }: { raw: string; status: number }) =>
      `${status} ${raw.replaceAll(names[0], '*').replaceAll(names[1], '*')}`;
    expect(neutral(one)).toBe(neutral(other));
  };

  it.each([
    ['tools/call', 'secretTool', {}],
    ['tools/call', 'secretTool', { arguments: 'no object' }],
    ['tools/call', 'secretTask', {}],
    ['prompts/get', 'secretPrompt', {}],
    ['prompts/get', 'secretPrompt', { arguments: { x: 7 } }],
  ])('answers %s of %s exactly as unknown, with %j, to whoever does not see it', async (method, name, rest) => {
    for (const user of ['bob', undefined]) {
      same(await app.request(method, { name, ...rest }, user), await app.request(method, { name: 'unknown', ...rest }, user), [
        name,
        'unknown',
      ]);
    }
  });

  it.each(['app://secret', 'vault://one', 'vault://other'])('answers a read exactly as unknown: %s', async (uri) => {
    for (const user of ['bob', undefined]) same(await app.read(uri, user), await app.read('none://x', user), [uri, 'none://x']);
    expect((await app.read(uri, 'bob')).error).toMatchObject({ code: -32602, data: { uri } });
  });

  it.each([
    ['secretPrompt', 'unknown'],
    ['vault://{x}', 'none://{x}'],
  ])('answers completions exactly as unknown: %s', async (owner, unknown) => {
    const argument = { name: 'x', value: '' };
    for (const user of [{ user: 'bob' }, {}])
      same(await app.complete(owner, argument, user), await app.complete(unknown, argument, user), [owner, unknown]);
  });
});

describe('the list of a visible set', () => {
  it('is computed once and reused while nothing changes', async () => {
    const list = async (user: string) => (await app.request('prompts/list', {}, user)).result!.prompts;
    const [first, again] = [await list('ann'), await list('ann')];
    expect(again).toEqual(first);
    const registry = app.testing.app.get(PromptRegistry);
    const [open] = registry.list().filter(({ name }) => name === 'openPrompt');
    registry.remove('openPrompt');
    expect((await list('ann')).length).toBe(first.length - 1);
    expect(await list('bob')).toEqual([]);
    registry.add(open!);
    expect((await list('bob')).length).toBe(1);
  });
});

describe('a guard with canSee()', () => {
  const start = (...providers: any[]) => SurfaceApp.start({ providers });

  @Injectable()
  class Nobody implements CanActivate, McpVisibility {
    canActivate = (): boolean => true;
    canSee(): boolean {
      throw new Error('broken');
    }
  }

  it('that fails hides, and says so in the log', async () => {
    @UseGuards(Nobody)
    class Tools {
      @McpTool({ description: 'x' }) tool(): void {}
    }
    const broken = await start(Tools, Nobody);
    expect((await broken.request('tools/list')).result!.tools).toEqual([]);
    expect(broken.errors).toEqual([expect.stringContaining('Tools.tool')]);
    await broken.close();
  });

  it('that is global, or of the endpoint, judges every handler', async () => {
    const hiding: CanActivate & McpVisibility = { canActivate: () => true, canSee: ({ handler }) => handler.name !== 'openTool' };
    const ofApp = await SurfaceApp.start({ providers: [Open], configure: (nest) => nest.useGlobalGuards(hiding) });
    const ofEndpoint = await SurfaceApp.start({ providers: [Open], options: { guards: [hiding] } });
    for (const hidden of [ofApp, ofEndpoint]) {
      expect((await hidden.request('tools/list')).result!.tools).toEqual([]);
      expect((await hidden.request('tools/call', { name: 'openTool' })).error).toEqual({ code: -32602, message: 'Unknown tool: openTool' });
      expect((await hidden.prompt('openPrompt')).result).toBeDefined();
      await hidden.close();
    }
  });

  it('that is made per request is a boot fault, since it would hide nothing', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped implements CanActivate, McpVisibility {
      canActivate(): boolean {
        return true;
      }
      canSee(): boolean {
        return false;
      }
    }
    @UseGuards(Scoped)
    class Tools {
      @McpTool({ description: 'x' }) tool(): void {}
    }
    await expect(start(Tools)).rejects.toThrow(/Tools\.tool: the guard Scoped has canSee\(\)/);
  });
});

describe('a hidden handler that is removed while its caller is let in', () => {
  it.each([
    ['a tool', 'tools/call', { name: 'hidden', arguments: 5 }],
    ['a tool that is a task', 'tools/call', { name: 'hiddenTask' }],
    ['a resource', 'resources/read', { uri: 'app://hidden' }],
  ])('stays unknown: %s', async (_what, method, params: JsonObject) => {
    const entered = deferred();
    const removed = deferred();
    const slow: CanActivate = {
      async canActivate() {
        entered.resolve();
        await removed.promise;
        return true;
      },
    };
    const hides = { canActivate: () => true, canSee: () => false };
    const racing = await SurfaceApp.start({
      imports: [McpTasksModule.forRoot()],
      options: { advertise: ['resources'] },
      providers: [{ provide: APP_GUARD, useValue: slow }],
    });
    const registrar = racing.testing.app.get(McpRegistrar);
    const own = { description: 'x', handler: () => 'secret', guards: [hides] };
    await registrar.addTool({ ...own, name: 'hidden' });
    await registrar.addTool({ ...own, name: 'hiddenTask', decorators: [McpTask({ required: true })] });
    await registrar.addResource({ ...own, name: 'internal', uri: 'app://hidden' });
    const asked = racing.request(method, params);
    await entered.promise;
    expect([registrar.removeTool('hidden'), registrar.removeTool('hiddenTask'), registrar.removeResource('app://hidden')]).toEqual([
      true,
      true,
      true,
    ]);
    removed.resolve();
    const unknown = await racing.request(method, params);
    expect((await asked).error).toEqual(unknown.error);
    expect(unknown.error?.message).toMatch(/^Unknown/);
    await racing.close();
  });
});

describe('a read that another resource would answer for another caller', () => {
  it('is private, though what answers is hidden from nobody', async () => {
    const onlyAnn: CanActivate & McpVisibility = { canActivate: () => true, canSee: ({ principal }) => principal?.id === 'ann' };
    class Reads {
      @McpResource({ uri: 'app://both' })
      @UseGuards(onlyAnn)
      exact(): string {
        return 'secret';
      }
      @McpResourceTemplate({ uriTemplate: 'app://{+path}' }) any(@McpArg('path') path: string): string {
        return path;
      }
    }
    const reads = await SurfaceApp.start({ providers: [Reads], options: { cache: { readTtl: 'PT1M', scope: 'public' } } });
    expect((await reads.read('app://both', 'bob')).result).toMatchObject({ contents: [{ text: 'both' }], cacheScope: 'private' });
    expect((await reads.read('app://other', 'bob')).result).toMatchObject({ contents: [{ text: 'other' }], cacheScope: 'public' });
    await reads.close();
  });
});

describe('a guard without canSee()', () => {
  it('leaves lists alone, and denies by name', async () => {
    const denying: CanActivate = { canActivate: () => false };
    class Tools {
      @McpTool({ description: 'x' })
      @UseGuards(denying)
      tool(): void {}
    }
    const guarded = await SurfaceApp.start({ providers: [Tools], options: { cache: { listTtl: 'PT1M', scope: 'public' } } });
    expect((await guarded.request('tools/list')).result).toMatchObject({ tools: [{ name: 'tool' }], ttlMs: 60_000, cacheScope: 'public' });
    expect((await guarded.testing.client().discover()).result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
    expect((await guarded.request('tools/call', { name: 'tool' })).error).toEqual({ code: 403, message: 'Forbidden' });
    await guarded.close();
  });
});
