import { McpArg, McpContext, McpExecution, McpPrompt, McpResource, McpResourceTemplate, McpTool, type McpResult } from '@mocapi/core';
import { McpSeam, type DispatchContext, type McpDispatchInterceptor } from '@mocapi/core/extension';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import {
  Catch,
  Inject,
  Injectable,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { finalize } from 'rxjs';
import { z } from 'zod';

const log: string[] = [];
let denies = false;

class Boom extends Error {}

@Injectable()
class Guard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { handler, principal, arguments: args } = McpExecution.of(context);
    log.push(`guard ${handler.kind} ${context.getClass().name}.${context.getHandler().name} ${principal?.id} ${JSON.stringify(args)}`);
    return !denies;
  }
}

@Injectable()
class Interceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    log.push('before');
    return next.handle().pipe(finalize(() => log.push('after')));
  }
}

@Injectable()
class Pipe implements PipeTransform {
  transform(value: unknown): unknown {
    if (typeof value === 'string') log.push(`pipe ${value}`);
    return value;
  }
}

@Catch(Boom)
class Filter implements ExceptionFilter {
  catch(): string {
    log.push('filter');
    return 'filtered';
  }
}

interface Asking {
  elicit(key: string, options: { message: string; schema: unknown }): Promise<{ action: string; content?: { a: string } }>;
}

@Injectable({ scope: Scope.REQUEST })
@UseGuards(Guard)
@UseInterceptors(Interceptor)
@UsePipes(Pipe)
@UseFilters(Filter)
class Every {
  constructor(@Inject(REQUEST) private readonly request: { headers: Record<string, string> }) {}

  @McpTool({ name: 'thing', description: 'x' }) tool(@McpArg('x') x: string, @McpContext() ctx: any) {
    return this.body(x, ctx);
  }
  @McpPrompt({ name: 'thing' }) prompt(@McpArg('x') x: string, @McpContext() ctx: any) {
    return this.body(x, ctx);
  }
  @McpResource({ uri: 'thing:fixed' }) resource(@McpContext() ctx: any) {
    return this.body(this.request.headers['x-do']!, ctx);
  }
  @McpResourceTemplate({ uriTemplate: 'thing://{x}' }) template(@McpArg('x') x: string, @McpContext() ctx: any) {
    return this.body(x, ctx);
  }

  private async body(x: string, ctx: Asking): Promise<string> {
    log.push('body');
    if (x === 'boom') throw new Boom();
    if (x === 'ask') {
      const answer = await ctx.elicit('q', { message: '?', schema: z.object({ a: z.string() }) });
      return `answered ${answer.content?.a}`;
    }
    return `done for ${this.request.headers['x-do']}`;
  }
}

@Injectable()
@McpSeam('dispatch-interceptor')
class Watcher implements McpDispatchInterceptor {
  seen: string[] = [];
  owned?: McpResult;

  intercept({ method, target }: DispatchContext, next: () => Promise<McpResult>): Promise<McpResult> {
    this.seen.push(`${method} ${target?.kind} ${target?.name}`);
    return this.owned ? Promise.resolve(this.owned) : next();
  }
}

let testing: McpTestingApp;
beforeAll(async () => {
  testing = await createMcpTestingApp({ providers: [Every, Guard, Interceptor, Pipe, Filter, Watcher] });
});
afterAll(() => testing.close());
beforeEach(() => {
  log.length = 0;
  denies = false;
});

const KINDS = [
  {
    kind: 'tool',
    method: 'tools/call',
    member: 'tool',
    params: (x: string) => ({ name: 'thing', arguments: { x } }),
    text: (r: any) => r.content[0].text,
  },
  {
    kind: 'prompt',
    method: 'prompts/get',
    member: 'prompt',
    params: (x: string) => ({ name: 'thing', arguments: { x } }),
    text: (r: any) => r.messages[0].content.text,
  },
  {
    kind: 'resource',
    method: 'resources/read',
    member: 'resource',
    params: () => ({ uri: 'thing:fixed' }),
    text: (r: any) => r.contents[0].text,
  },
  {
    kind: 'resource-template',
    method: 'resources/read',
    member: 'template',
    params: (x: string) => ({ uri: `thing://${x}` }),
    text: (r: any) => r.contents[0].text,
  },
] as const;

describe.each(KINDS)('a $kind', ({ kind, method, member, params, text }) => {
  const args = kind === 'resource' ? '{}' : (x: string) => JSON.stringify({ x });
  const send = (x: string, rest: object = {}) => testing.client().request(method, { ...params(x), ...rest }, { headers: { 'x-do': x } });
  const guard = (x: string) => `guard ${kind} Every.${member} undefined ${typeof args === 'string' ? args : args(x)}`;
  const pipes = (x: string) => (kind === 'resource' ? [] : [`pipe ${x}`]);

  it('runs guard, interceptor, pipe and body once each, in this order, on an instance of its request', async () => {
    expect(text((await send('now')).result)).toBe('done for now');
    expect(log).toEqual([guard('now'), 'before', ...pipes('now'), 'body', 'after']);
  });

  it('is denied by its guard before anything else runs', async () => {
    denies = true;
    expect(await send('now')).toMatchObject({ status: 200, error: { code: 403, message: 'Forbidden' } });
    expect(log).toEqual([guard('now')]);
  });

  it("takes its filter's value for its own", async () => {
    expect(text((await send('boom')).result)).toBe('filtered');
    expect(log).toEqual([guard('boom'), 'before', ...pipes('boom'), 'body', 'after', 'filter']);
  });

  it('asks, and runs again from the top with the answer', async () => {
    const asked = (await send('ask')).result!;
    expect(asked.resultType).toBe('input_required');
    const round = [guard('ask'), 'before', ...pipes('ask'), 'body', 'after'];
    expect(log).toEqual(round);
    const inputResponses = { q: { action: 'accept', content: { a: 'yes' } } };
    expect(text((await send('ask', { requestState: asked.requestState, inputResponses })).result)).toBe('answered yes');
    expect(log).toEqual([...round, ...round]);
  });

  it('is seen and may be owned by dispatch interceptors, before any guard', async () => {
    const watcher = testing.app.get(Watcher);
    watcher.seen = [];
    // What an interceptor answers has to be a result of the method, too.
    watcher.owned = {
      resultType: 'complete',
      content: [],
      messages: [],
      contents: [],
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'example.com/owned': true },
    };
    const { result } = await send('now');
    delete watcher.owned;
    expect(result).toMatchObject({ _meta: { 'example.com/owned': true } });
    const name = 'uri' in params('now') ? (params('now') as { uri: string }).uri : 'thing';
    expect(watcher.seen).toEqual([`${method} ${kind} ${name}`]);
    expect(log).toEqual([]);
  });
});
