import { McpArg, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import {
  Catch,
  Inject,
  Injectable,
  Scope,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, REQUEST } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { map } from 'rxjs';

let seen: string[];
let testing: McpTestingApp | undefined;
beforeEach(() => (seen = []));
afterEach(async () => {
  await testing?.close();
  testing = undefined;
});

class Boom extends Error {}

/** The four enhancers, each saying what it was told by its maker. */
class Guard implements CanActivate {
  constructor(readonly says: string) {}
  canActivate(): boolean {
    seen.push(`${this.says} guard`);
    return true;
  }
}
class Interceptor implements NestInterceptor {
  constructor(readonly says: string) {}
  intercept(_context: ExecutionContext, next: CallHandler) {
    seen.push(`${this.says} interceptor`);
    return next.handle().pipe(map((value) => `${String(value)}, ${this.says}`));
  }
}
class Pipe implements PipeTransform {
  constructor(readonly says: string) {}
  transform(value: unknown): unknown {
    seen.push(`${this.says} pipe`);
    return value;
  }
}
@Catch(Boom)
class Filter implements ExceptionFilter {
  constructor(readonly says: string) {}
  catch(): string {
    seen.push(`${this.says} filter`);
    return `caught by ${this.says}`;
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'x' }) run(@McpArg('x') x: string): string {
    seen.push('body');
    if (x === 'boom') throw new Boom();
    return x;
  }
}

@Injectable()
class Config {
  readonly says = 'injected';
}

const ENHANCERS = [
  [APP_GUARD, Guard],
  [APP_INTERCEPTOR, Interceptor],
  [APP_PIPE, Pipe],
  [APP_FILTER, Filter],
] as const;

/** A class whose instances are like `base`'s, made by Nest from what `token` stands for. */
function madeFrom(base: new (says: string) => object, token: unknown, read: (value: never) => string): Type {
  class Made extends base {
    constructor(value: unknown) {
      super(read(value as never));
    }
  }
  Inject(token as string)(Made, undefined, 0);
  if (base === Filter) Catch(Boom)(Made);
  return Injectable()(Made) ?? Made;
}

const classes = (): Provider[] =>
  ENHANCERS.map(([provide, base]) => ({ provide, useClass: madeFrom(base, Config, ({ says }: Config) => says) }));
const factories = (): Provider[] =>
  ENHANCERS.map(([provide, base]) => ({ provide, inject: [Config], useFactory: ({ says }: Config) => new base(says) }));
const perRequest = (): Provider[] =>
  ENHANCERS.map(([provide, base]) => ({
    provide,
    scope: Scope.REQUEST,
    useClass: madeFrom(base, REQUEST, ({ headers }: { headers: Record<string, string> }) => headers['x-says']!),
  }));

async function start(providers: Provider[], configure?: (app: NestFastifyApplication) => unknown): Promise<McpTestingApp> {
  testing = await createMcpTestingApp({ providers: [Tools, Config, ...providers], ...(configure ? { configure } : {}) });
  return testing;
}

const call = async (x: string, says = 'injected'): Promise<string> => {
  const { result } = await testing!.client({ headers: { 'x-says': says } }).callTool('run', { x });
  return result!.content![0]!.text!;
};

const inOrder = (says: string): string[] => [`${says} guard`, `${says} interceptor`, `${says} pipe`, 'body'];

describe.each([
  ['classes', classes],
  ['factories', factories],
])('APP_GUARD, APP_INTERCEPTOR, APP_PIPE and APP_FILTER that are %s', (_what, providers) => {
  it('run around a tool once each, in the order of Nest, with what is injected into them', async () => {
    await start(providers());
    expect(await call('fine')).toBe('fine, injected');
    expect(seen).toEqual(inOrder('injected'));
  });

  it("answer for a failed tool with the filter's value", async () => {
    await start(providers());
    expect(await call('boom')).toBe('caught by injected');
    expect(seen).toEqual([...inOrder('injected'), 'injected filter']);
  });
});

describe('APP_GUARD, APP_INTERCEPTOR, APP_PIPE and APP_FILTER that are request-scoped', () => {
  it('are made for each call, with its own request, calls at the same time included', async () => {
    await start(perRequest());
    expect(await Promise.all([call('one', 'ann'), call('two', 'bob')])).toEqual(['one, ann', 'two, bob']);
    for (const says of ['ann', 'bob']) expect(seen.filter((line) => line.startsWith(says))).toEqual(inOrder(says).slice(0, 3));
  });

  it("answer for a failed tool with the filter's value", async () => {
    await start(perRequest());
    expect(await call('boom', 'ann')).toBe('caught by ann');
    expect(seen).toEqual([...inOrder('ann'), 'ann filter']);
  });

  it('guard a method without a handler too', async () => {
    await start(perRequest());
    expect((await testing!.client({ headers: { 'x-says': 'ann' } }).listTools()).status).toBe(200);
    expect(seen).toEqual(['ann guard']);
  });
});

describe('app.useGlobalGuards, useGlobalInterceptors, useGlobalPipes and useGlobalFilters', () => {
  it('run around a tool when they are called after the app was created, and behind none of the same kind twice', async () => {
    await start(factories(), (app) => {
      app.useGlobalGuards(new Guard('global'));
      app.useGlobalInterceptors(new Interceptor('global'));
      app.useGlobalPipes(new Pipe('global'));
      app.useGlobalFilters(new Filter('global'));
    });
    await call('fine');
    for (const kind of ['guard', 'interceptor', 'pipe']) {
      expect(seen.filter((line) => line.endsWith(kind)).toSorted()).toEqual([`global ${kind}`, `injected ${kind}`]);
    }
    seen = [];
    expect(await call('boom')).toMatch(/^caught by/);
    expect(seen.filter((line) => line.endsWith('filter'))).toHaveLength(1);
  });
});
