import { STATUS_CODES } from 'node:http';
import { McpArg, McpExecution, McpPrincipalSource, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp, type McpTestingParts } from '@mocapi/testing';
import {
  Catch,
  Controller,
  ForbiddenException,
  Inject,
  Injectable,
  Module,
  Scope,
  UnauthorizedException,
  UseGuards,
  type ArgumentsHost,
  type CanActivate,
  type ExecutionContext,
  type Provider,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, REQUEST } from '@nestjs/core';
import { of } from 'rxjs';

/** What happened, in order. */
let seen: string[] = [];
/** What the guard under test does. */
let verdict: () => boolean = () => false;

beforeEach(() => {
  seen = [];
  verdict = () => false;
});

@Injectable()
class Clerk {
  readonly note = (what: string): void => void seen.push(what);
}

@Injectable()
class ToolGuard implements CanActivate {
  constructor(private readonly clerk: Clerk) {}

  canActivate(context: ExecutionContext): boolean {
    this.clerk.note(`guard of ${context.getClass().name}.${context.getHandler().name}`);
    return verdict();
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'guarded' })
  @UseGuards(ToolGuard)
  guarded(@McpArg('x', { required: false, pipes: [{ transform: (value: unknown) => (seen.push('pipe'), value) }] }) _x: string): string {
    seen.push('body');
    return 'done';
  }
}

@Controller()
class ToolController {
  @McpTool({ description: 'guarded' })
  @UseGuards(ToolGuard)
  guarded(): string {
    seen.push('body');
    return 'done';
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestScopedTools {
  @McpTool({ description: 'guarded' })
  @UseGuards(ToolGuard)
  guarded(): string {
    seen.push('body');
    return 'done';
  }
}

@Controller({ scope: Scope.REQUEST })
class RequestScopedController {
  @McpTool({ description: 'guarded' })
  @UseGuards(ToolGuard)
  guarded(): string {
    seen.push('body');
    return 'done';
  }
}

@Injectable()
@UseGuards(ToolGuard)
class ClassGuardedTools {
  @McpTool({ description: 'guarded' })
  guarded(): string {
    seen.push('body');
    return 'done';
  }
}

@Module({ providers: [Tools, Clerk] })
class OneModule {}

@Module({ providers: [Tools, Clerk] })
class AnotherModule {}

/** Written for HTTP: answers by itself. */
@Catch()
class HttpFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    seen.push('filter');
    host.switchToHttp().getResponse<{ status(code: number): { send(body: unknown): void } }>().status(418).send('from the filter');
  }
}

let testing: McpTestingApp | undefined;
const start = async (parts: McpTestingParts & { configure?: (app: McpTestingApp['app']) => unknown }): Promise<McpTestingApp> =>
  (testing = await createMcpTestingApp(parts));
afterEach(async () => {
  await testing?.close();
  testing = undefined;
});

const hosts: [string, McpTestingParts, string][] = [
  ['a provider', { providers: [Tools, Clerk] }, 'Tools'],
  ['a controller', { controllers: [ToolController], providers: [Clerk] }, 'ToolController'],
  ['what a factory makes', { providers: [Clerk, { provide: 'tools', useFactory: () => new Tools() }] }, 'Tools'],
  ['a class under another token', { providers: [Clerk, { provide: 'tools', useClass: Tools }] }, 'Tools'],
  ['a value', { providers: [Clerk, { provide: 'tools', useValue: new Tools() }] }, 'Tools'],
  ['a request-scoped provider', { providers: [Clerk, RequestScopedTools] }, 'RequestScopedTools'],
  ['a request-scoped controller', { providers: [Clerk], controllers: [RequestScopedController] }, 'RequestScopedController'],
  ['a class that two modules provide', { imports: [OneModule, AnotherModule] }, 'Tools'],
  ['a class with the guard on it', { providers: [Clerk, ClassGuardedTools] }, 'ClassGuardedTools'],
  [
    'an app with a catch-all filter written for HTTP',
    { providers: [Tools, Clerk, { provide: APP_FILTER, useClass: HttpFilter }] },
    'Tools',
  ],
];

describe.each(hosts)('a guard on a tool of %s', (_host, parts, className) => {
  let app: McpTestingApp;
  beforeAll(async () => {
    app = await createMcpTestingApp(parts);
  });
  afterAll(() => app.close());

  it.each<[string, () => boolean, number]>([
    ['says no', () => false, 403],
    ['throws ForbiddenException', () => thrown(new ForbiddenException('secret reason')), 403],
    ['throws UnauthorizedException', () => thrown(new UnauthorizedException('secret reason')), 401],
    ['throws an Error', () => thrown(new Error('secret reason')), 403],
  ])('that %s gives the same error, in-band, and nothing of the tool is entered', async (_what, denial, code) => {
    verdict = denial;
    const { status, error, result, raw } = await app.client().callTool('guarded', { x: 1 });
    expect({ status, error, result }).toEqual({ status: 200, error: { code, message: STATUS_CODES[code] }, result: undefined });
    expect(raw).not.toMatch(/secret/);
    expect(seen).toEqual([`guard of ${className}.guarded`]);
  });

  it('that says yes lets the body run, and is asked once', async () => {
    verdict = () => true;
    const { result } = await app.client().callTool('guarded');
    expect(result?.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(seen.filter((line) => line !== 'pipe')).toEqual([`guard of ${className}.guarded`, 'body']);
  });
});

it('a denial bears the code of the deployment, if that has one', async () => {
  verdict = () => thrown(new UnauthorizedException());
  const { client } = await start({ providers: [Tools, Clerk], options: { forbiddenCode: 1010 } });
  const { status, error } = await client().callTool('guarded');
  expect({ status, error }).toEqual({ status: 200, error: { code: 1010, message: 'Unauthorized' } });
});

describe('a guard that fails by a defect of its own', () => {
  it('denies, and somebody hears of it', async () => {
    verdict = () => thrown(new TypeError('x is undefined'));
    const { client, logs } = await start({ providers: [Tools, Clerk] });
    await client().callTool('guarded');
    expect(logs).toContainEqual(expect.objectContaining({ level: 'error', details: expect.stringContaining('x is undefined') }));
  });

  it('says nothing in the log when it merely refuses', async () => {
    const { client, logs } = await start({ providers: [Tools, Clerk] });
    await client().callTool('guarded');
    expect(logs.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a tool guard that is scoped or unusual', () => {
  @Injectable({ scope: Scope.REQUEST })
  class RequestGuard implements CanActivate {
    constructor(
      @Inject(REQUEST) private readonly request: { headers: Record<string, string> },
      private readonly clerk: Clerk,
    ) {}

    canActivate(): boolean {
      this.clerk.note(`token ${this.request.headers['x-token']}`);
      return this.request.headers['x-token'] === 'good';
    }
  }

  @Injectable()
  class ScopedGuarded {
    @McpTool({ description: 'guarded' })
    @UseGuards(RequestGuard)
    guarded(): string {
      return 'done';
    }
  }

  class ArrowGuard {
    canActivate = (): boolean => verdict();
  }

  @Injectable()
  class ArrowGuarded {
    @McpTool({ description: 'guarded' })
    @UseGuards(ArrowGuard)
    guarded(): string {
      return 'done';
    }
  }

  it('is made anew for each request, with its constructor run', async () => {
    const { client } = await start({ providers: [ScopedGuarded, Clerk] });
    const good = await client().callTool('guarded', {}, { headers: { 'x-token': 'good' } });
    const bad = await client().callTool('guarded', {}, { headers: { 'x-token': 'bad' } });
    expect([good.result?.isError, bad.error?.code]).toEqual([undefined, 403]);
    expect(seen).toEqual(['token good', 'token bad']);
  });

  it('is honoured as a property instead of a method', async () => {
    const { client } = await start({ providers: [ArrowGuarded] });
    expect((await client().callTool('guarded')).error?.code).toBe(403);
  });

  it('is a boot fault where it cannot be made per request, never skipped or run without its constructor', async () => {
    const booting = start({ providers: [Clerk, { provide: 'tools', useFactory: () => new ScopedGuarded() }] });
    await expect(booting).rejects.toThrow(/RequestGuard/);
  });
});

describe('a global guard', () => {
  @Injectable()
  class GlobalGuard implements CanActivate {
    constructor(private readonly clerk: Clerk) {}

    canActivate(context: ExecutionContext): boolean {
      this.clerk.note(`global of ${context.getType()} ${context.getClass().name}`);
      return verdict();
    }
  }

  @Injectable({ scope: Scope.REQUEST })
  class ScopedGlobalGuard implements CanActivate {
    constructor(
      @Inject(REQUEST) private readonly request: { headers: Record<string, string> },
      private readonly clerk: Clerk,
    ) {}

    canActivate(context: ExecutionContext): boolean {
      this.clerk.note(`global of ${context.getType()} ${context.getClass().name}`);
      return this.request.headers['x-token'] === 'good';
    }
  }

  @Injectable()
  class Unguarded {
    @McpTool({ description: 'open' })
    open(): string {
      seen.push('body');
      return 'done';
    }
  }

  const good = { headers: { 'x-token': 'good' } };
  const kinds: [string, (guard: () => boolean) => McpTestingParts & { configure?: (app: McpTestingApp['app']) => unknown }][] = [
    ['as APP_GUARD', () => ({ providers: [Unguarded, Clerk, { provide: APP_GUARD, useClass: GlobalGuard }] })],
    ['as a request-scoped APP_GUARD', () => ({ providers: [Unguarded, Clerk, { provide: APP_GUARD, useClass: ScopedGlobalGuard }] })],
    ['by useGlobalGuards', () => ({ providers: [Unguarded], configure: (app) => app.useGlobalGuards(new GlobalGuard(new Clerk())) })],
  ];

  describe.each(kinds)('%s', (_kind, parts) => {
    it('runs once per JSON-RPC request, for a call with its tool and for a list', async () => {
      verdict = () => true;
      const { client } = await start(parts(verdict));
      await client().callTool('open', {}, good);
      expect(seen).toEqual(['global of http Unguarded', 'body']);
      seen = [];
      expect((await client().listTools(good)).result?.tools).toHaveLength(1);
      expect(seen).toEqual(['global of http McpEndpoint']);
      seen = [];
      await client().discover(good);
      expect(seen).toEqual(['global of http McpEndpoint']);
    });

    it('refuses with the HTTP status of the exception as the whole response, for every method', async () => {
      const { client } = await start(parts(verdict));
      for (const reply of [await client().callTool('open'), await client().listTools(), await client().discover()]) {
        expect([reply.status, reply.error]).toEqual([403, { code: 403, message: 'Forbidden' }]);
      }
      expect(seen).not.toContain('body');
    });
  });

  it('that throws UnauthorizedException answers 401', async () => {
    verdict = () => thrown(new UnauthorizedException());
    const { client } = await start(kinds[0]![1](verdict));
    expect((await client().callTool('open')).status).toBe(401);
    expect((await client().listTools()).status).toBe(401);
  });

  it('that is request-scoped is a boot fault around a tool that Nest would not apply it to', async () => {
    const scoped: Provider[] = [Clerk, { provide: APP_GUARD, useClass: ScopedGlobalGuard }];
    const booting = start({ providers: [...scoped, { provide: 'tools', useFactory: () => new Unguarded() }] });
    await expect(booting).rejects.toThrow(/Unguarded\.open: a request-scoped APP_GUARD would be skipped/);
  });
});

describe('who is calling', () => {
  const principals = { calls: 0 };

  class HeaderPrincipals extends McpPrincipalSource {
    override resolve(request: { user?: { id: string } }): { id: string } | undefined {
      principals.calls += 1;
      seen.push('principal');
      return request.user;
    }
  }

  const userGuard = (name: string): CanActivate => ({
    canActivate: (context) => {
      seen.push(name);
      context.switchToHttp().getRequest<{ user?: object }>().user = { id: name };
      return true;
    },
  });

  @Injectable()
  @UseGuards(userGuard('class'))
  class WhoAmI {
    @McpTool({ description: 'whoami' })
    @UseGuards(userGuard('method'), {
      canActivate: (context: ExecutionContext) => (seen.push(`sees ${McpExecution.of(context).principal?.id}`), true),
    })
    whoami(): string {
      seen.push('body');
      return 'done';
    }
  }

  const app = (): Promise<McpTestingApp> =>
    start({
      providers: [WhoAmI, { provide: APP_GUARD, useValue: userGuard('APP_GUARD') }],
      options: { guards: [userGuard('endpoint')], providers: [{ provide: McpPrincipalSource, useClass: HeaderPrincipals }] },
      configure: (nest) => nest.useGlobalGuards(userGuard('useGlobalGuards')),
    });

  it('is settled after the global and the endpoint guards and before those of class and method, which cannot change it', async () => {
    const { client } = await app();
    await client().callTool('whoami');
    expect(seen.slice(0, 2).toSorted()).toEqual(['APP_GUARD', 'useGlobalGuards']);
    expect(seen.slice(2)).toEqual(['endpoint', 'principal', 'class', 'method', 'sees endpoint', 'body']);
  });

  it('is asked once per request, for every method', async () => {
    const { client } = await app();
    principals.calls = 0;
    await client().callTool('whoami');
    await client().listTools();
    await client().discover();
    expect(principals.calls).toBe(3);
  });

  it('is refused with the status of the exception that its source throws', async () => {
    class Refusing extends McpPrincipalSource {
      override resolve(): never {
        throw new UnauthorizedException();
      }
    }
    const { client } = await start({ providers: [WhoAmI], options: { providers: [{ provide: McpPrincipalSource, useClass: Refusing }] } });
    for (const reply of [await client().callTool('whoami'), await client().listTools()]) {
      expect([reply.status, reply.error]).toEqual([401, { code: 401, message: 'Unauthorized' }]);
    }
    expect(seen).not.toContain('body');
  });

  it('is refused when its id cannot be told apart from others', async () => {
    class Nameless extends McpPrincipalSource {
      override resolve(): { id: string } {
        return { id: '' };
      }
    }
    const { client, logs } = await start({
      providers: [WhoAmI],
      options: { providers: [{ provide: McpPrincipalSource, useClass: Nameless }] },
    });
    expect((await client().callTool('whoami')).status).toBe(403);
    expect(logs).toContainEqual(expect.objectContaining({ level: 'error' }));
  });
});

describe('a guard of the endpoint', () => {
  @Injectable()
  class Open {
    @McpTool({ description: 'open' })
    open(): string {
      seen.push('body');
      return 'done';
    }
  }

  @Injectable()
  class EndpointGuard implements CanActivate {
    constructor(private readonly clerk: Clerk) {}

    canActivate(): boolean {
      this.clerk.note('endpoint');
      return verdict();
    }
  }

  it.each([
    ['no', () => false, 403],
    ['401', () => thrown(new UnauthorizedException('secret reason')), 401],
  ])('that answers %s refuses every method with its HTTP status', async (_what, denial, status) => {
    verdict = denial;
    const { client } = await start({ providers: [Open], options: { guards: [EndpointGuard], providers: [Clerk] } });
    for (const reply of [await client().callTool('open'), await client().listTools(), await client().discover()]) {
      expect([reply.status, reply.error]).toEqual([status, { code: status, message: STATUS_CODES[status] }]);
      expect(reply.raw).not.toMatch(/secret/);
    }
    expect(seen).toEqual(['endpoint', 'endpoint', 'endpoint']);
  });

  it('denies by the last word of its Observable, as in Nest', async () => {
    const { client } = await start({ providers: [Open], options: { guards: [{ canActivate: () => of(true, false) }] } });
    expect((await client().callTool('open')).status).toBe(403);
  });

  it('runs once where it lets through', async () => {
    verdict = () => true;
    const { client } = await start({ providers: [Open, Clerk], options: { guards: [EndpointGuard], providers: [Clerk] } });
    await client().callTool('open');
    expect(seen).toEqual(['endpoint', 'body']);
  });
});

function thrown(error: Error): never {
  throw error;
}
