import { createHook } from 'node:async_hooks';
import {
  McpArg,
  McpArgs,
  McpContext,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpTool,
  type JsonObject,
  type McpHandlerContext,
} from '@mocapi/core';
import type { DispatchReply, Exchange, MaybePromise } from '@mocapi/core/extension';
import { LazySignal, McpBootstrap } from '@mocapi/core/internal';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable, UseGuards, UseInterceptors, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { IsString } from 'class-validator';
import { map } from 'rxjs';
import { z } from 'zod';

class Greeting {
  @IsString() name!: string;
}

const UserAgent = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<{ agent: string }>().agent,
);
const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

@Injectable()
class Handlers {
  @McpTool({ description: 'x', inputSchema: z.object({ name: z.string() }) }) zod(@McpArgs() { name }: Greeting): string {
    return `hello ${name}`;
  }

  @McpTool({ description: 'x', inputSchema: named }) raw(@McpArgs() { name }: Greeting): string {
    return `hello ${name}`;
  }

  @McpTool({ description: 'x' }) dto(@McpArgs() { name }: Greeting): string {
    return `hello ${name}`;
  }

  @McpTool({ description: 'x' }) parts(@McpArg('name') name: string, @McpContext() ctx: McpHandlerContext): string {
    ctx.progress(1);
    return `hello ${name}`;
  }

  @McpTool({ description: 'x', inputSchema: named, outputSchema: { type: 'object' } }) structured(@McpArgs() args: JsonObject): JsonObject {
    return args;
  }

  @McpTool({ description: 'x' })
  @UseGuards({ canActivate: () => true })
  @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(map((value) => value as unknown)) })
  enhanced(@McpArg('name', { pipes: [{ transform: (name: unknown) => name }] }) name: string, @UserAgent() agent: string): string {
    return `hello ${name} of ${agent}`;
  }

  @McpTool({ description: 'x' }) async waits(@McpArg('name') name: string): Promise<string> {
    await Promise.resolve();
    return `hello ${name}`;
  }

  @McpPrompt({ description: 'x' }) prompt(@McpArg('name') name: string): string {
    return `hello ${name}`;
  }

  @McpResource({ uri: 'x://fixed' }) fixed(): string {
    return 'hello';
  }

  @McpResourceTemplate({ uriTemplate: 'x://{name}/it' }) template(@McpArg('name') name: string): string {
    return `hello ${name}`;
  }
}

/** What one dispatch made, up to the return of its answer or its promise. */
interface Cost {
  readonly reply: MaybePromise<DispatchReply>;
  readonly made: Readonly<Record<string, number>>;
}

/** A request as a transport hands it on; whoever looks at its signal fails the test. */
function exchange(): Exchange {
  return {
    get signal(): AbortSignal {
      throw new Error('somebody made a signal that nobody needs');
    },
    abortSource: new LazySignal(),
    notifications: { notify: () => undefined, isStalled: false, onDrain: () => undefined },
    delivery: { onSettled: () => undefined },
    request: { headers: {}, agent: 'a test' },
  };
}

let id = 0;

function dispatch({ app }: McpTestingApp, method: string, params: JsonObject): Cost {
  const { dispatcher } = app.get(McpBootstrap, { strict: false });
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  const message = { jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta } } as const;
  const given = exchange();
  const made: Record<string, number> = {};
  const hook = createHook({ init: (_id, type) => void (made[type] = (made[type] ?? 0) + 1) });
  hook.enable();
  const reply = dispatcher.dispatch(message, given);
  hook.disable();
  return { reply, made };
}

const call = (name: string): [string, JsonObject] => ['tools/call', { name, arguments: { name: 'you' } }];

const BARE: [what: string, method: string, params: JsonObject][] = [
  ['a tool with a zod schema', ...call('zod')],
  ['a tool with a raw schema', ...call('raw')],
  ['a tool with a DTO', ...call('dto')],
  ['a tool with a context', ...call('parts')],
  ['a tool with an output schema', ...call('structured')],
  ['a prompt', 'prompts/get', { name: 'prompt', arguments: { name: 'you' } }],
  ['a resource', 'resources/read', { uri: 'x://fixed' }],
  ['a template', 'resources/read', { uri: 'x://you/it' }],
  ['a list', 'tools/list', {}],
  ['server/discover', 'server/discover', {}],
];

describe('what a call costs in promises, timers and other async resources', () => {
  let testing: McpTestingApp;
  beforeAll(async () => {
    testing = await createMcpTestingApp({ providers: [Handlers] });
  });
  afterAll(() => testing.close());

  it.each(BARE)('is nothing for %s', (_what, method, params) => {
    dispatch(testing, method, params);
    const { reply, made } = dispatch(testing, method, params);
    expect(reply).toMatchObject({ status: 200, message: { result: { resultType: 'complete' } } });
    expect(reply).not.toMatchObject({ message: { result: { isError: true } } });
    expect(made).toEqual({});
  });

  it('is one context for each interceptor of a tool with a guard, an interceptor, a pipe and a decorator of its own', () => {
    const { reply, made } = dispatch(testing, ...call('enhanced'));
    expect(reply).toMatchObject({ message: { result: { content: [{ text: 'hello you of a test' }] } } });
    expect(made).toEqual({ McpInterceptor: 1 });
  });

  it('is promises alone for a tool that waits', async () => {
    const { reply, made } = dispatch(testing, ...call('waits'));
    expect(await reply).toMatchObject({ message: { result: { content: [{ text: 'hello you' }] } } });
    expect(Object.keys(made)).toEqual(['PROMISE']);
    expect(made.PROMISE).toBeLessThanOrEqual(20);
  });
});

it('is one context more behind a global interceptor', async () => {
  const global = {
    provide: APP_INTERCEPTOR,
    useValue: { intercept: (_context: ExecutionContext, next: { handle(): unknown }) => next.handle() },
  };
  const testing = await createMcpTestingApp({ providers: [Handlers, global] });
  expect(dispatch(testing, ...call('enhanced')).made).toEqual({ McpInterceptor: 2 });
  expect(dispatch(testing, ...call('zod')).made).toEqual({ McpInterceptor: 1 });
  await testing.close();
});
