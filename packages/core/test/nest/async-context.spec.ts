import { AsyncLocalStorage } from 'node:async_hooks';
import { accept, answerInput, createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { McpContext, McpPrompt, McpResource, McpTool, type McpToolContext } from '@mocapi/core';
import {
  Controller,
  Get,
  Injectable,
  Module,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type MiddlewareConsumer,
  type NestMiddleware,
} from '@nestjs/common';
import { defer, Observable } from 'rxjs';
import { ask } from '../support/questions.js';
import { turns } from '../../../../test/support/flow.js';

/** What `nestjs-cls` and tracing keep. */
interface Store {
  user: string;
  guard?: string;
}
const storage = new AsyncLocalStorage<Store>();
const current = (): string => storage.getStore()?.user ?? 'nobody';

interface WithHeaders {
  readonly headers: Readonly<Record<string, string>>;
}
const userOf = (request: WithHeaders): string => request.headers['x-user']!;

@Injectable()
class UserMiddleware implements NestMiddleware {
  use(request: WithHeaders, _response: unknown, next: () => void): void {
    storage.run({ user: userOf(request) }, next);
  }
}

let guarded: string[];
beforeEach(() => (guarded = []));

@Injectable()
class Sees implements CanActivate {
  canActivate(): boolean {
    guarded.push(current());
    return true;
  }
}

/** Enters the context in a guard, as `ClsGuard` does. */
const enters: CanActivate = {
  canActivate(context: ExecutionContext) {
    storage.enterWith({ user: `guard of ${userOf(context.switchToHttp().getRequest<WithHeaders>())}` });
    return true;
  },
};

/** Runs what is inside of it in the context, as `ClsInterceptor` does. */
const runs = {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const store = { user: `interceptor of ${userOf(context.switchToHttp().getRequest<WithHeaders>())}` };
    return new Observable((subscriber) => storage.run(store, () => defer(() => next.handle()).subscribe(subscriber)));
  },
};

@Injectable()
class Handlers {
  @McpTool({ description: 'x' }) @UseGuards(Sees) async tool(): Promise<string> {
    await turns(3);
    return current();
  }
  @McpTool({ description: 'x' }) async streaming(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.progress(1);
    await turns(3);
    return current();
  }
  @McpTool({ description: 'x' }) @UseGuards(Sees) async asking(@McpContext() ctx: McpToolContext): Promise<string> {
    const step = await ctx.step('who', () => current());
    await ask(ctx, 'q');
    return `${step} then ${current()}`;
  }
  @McpTool({ description: 'x' }) @UseInterceptors(runs) byInterceptor(): string {
    return current();
  }
  @McpPrompt() @UseGuards(Sees) prompt(): string {
    return current();
  }
  @McpResource({ uri: 'a:b' }) @UseGuards(Sees) resource(): string {
    return current();
  }
}

@Module({ providers: [Handlers, Sees] })
class AppModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(UserMiddleware).forRoutes('*path');
  }
}

/** The same by a Fastify hook, as a plugin enters it. */
function hooked(app: McpTestingApp['app']): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, _reply, done) => {
      storage.run({ user: userOf(request as never) }, done);
    });
}

const WAYS = [
  ['a Nest middleware', () => createMcpTestingApp({ imports: [AppModule] })],
  ['a Fastify hook', () => createMcpTestingApp({ providers: [Handlers, Sees], configure: hooked })],
] as const;

describe.each(WAYS)('an async context that %s enters', (_way, start) => {
  let testing: McpTestingApp;
  beforeAll(async () => {
    testing = await start();
  });
  afterAll(() => testing.close());

  const as = (user: string) => testing.client({ headers: { 'x-user': user } });
  const call = async (user: string, tool: string): Promise<string> => (await as(user).callTool(tool)).result!.content![0]!.text!;

  it('is seen by guard and body of a tool, each call its own, many at the same time', async () => {
    const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    expect(await Promise.all(users.map((user) => call(user, 'tool')))).toEqual(users);
    expect(guarded.toSorted()).toEqual(users.toSorted());
  });

  it('is seen by a tool that answers as a stream', async () => {
    const { result, notifications } = await as('ann').callTool('streaming', {}, { meta: { progressToken: 1 } });
    expect(notifications).toHaveLength(1);
    expect(result!.content![0]!.text).toBe('ann');
  });

  it('is seen by prompts and resources', async () => {
    const prompt = await as('ann').request('prompts/get', { name: 'prompt' });
    const resource = await as('bob').request('resources/read', { uri: 'a:b' });
    expect([prompt.result!.messages[0].content.text, resource.result!.contents[0].text]).toEqual(['ann', 'bob']);
    expect(guarded).toEqual(['ann', 'bob']);
  });

  it('is, in the round that brings an answer, that of its own request', async () => {
    const asked = await as('ann').callTool('asking');
    const { result } = await answerInput(as('bob'), asked, { q: accept({ ok: true }) });
    expect(result!.content![0]!.text).toBe('ann then bob');
    expect(guarded).toEqual(['ann', 'bob']);
  });

  it('gives way, inside, to what an interceptor enters, and to no other call', async () => {
    const users = ['ann', 'bob', 'eve'];
    expect(await Promise.all(users.map((user) => call(user, 'byInterceptor')))).toEqual(users.map((user) => `interceptor of ${user}`));
    expect(await call('zoe', 'tool')).toBe('zoe');
  });
});

describe('an async context that the first global guard enters', () => {
  it('is seen by the guards behind it and by the body, each call its own', async () => {
    const testing = await createMcpTestingApp({ providers: [Handlers, Sees], configure: (app) => app.useGlobalGuards(enters) });
    const call = async (user: string): Promise<string> =>
      (await testing.client({ headers: { 'x-user': user } }).callTool('tool')).result!.content![0]!.text!;
    const users = ['ann', 'bob', 'eve'];
    const expected = users.map((user) => `guard of ${user}`);
    expect(await Promise.all(users.map(call))).toEqual(expected);
    expect(guarded.toSorted()).toEqual(expected);
    await testing.close();
  });
});

describe('an async context that a guard enters behind one that waits', () => {
  @Injectable()
  class Waits implements CanActivate {
    async canActivate(): Promise<boolean> {
      await turns(1);
      return true;
    }
  }
  @Controller('route')
  class Routes {
    @Get() @UseGuards(Waits, enters) route(): string {
      return current();
    }
  }
  @Injectable()
  class Tools {
    @McpTool({ description: 'x' }) @UseGuards(Waits, enters) tool(): string {
      return current();
    }
  }

  it('reaches a tool exactly as far as it reaches a route of Nest', async () => {
    const testing = await createMcpTestingApp({ providers: [Tools, Waits], controllers: [Routes] });
    const headers = { 'x-user': 'ann' };
    const route = await (await fetch(testing.url.replace('/mcp', '/route'), { headers })).text();
    expect((await testing.client({ headers }).callTool('tool')).result!.content![0]!.text).toBe(route);
    await testing.close();
  });
});
