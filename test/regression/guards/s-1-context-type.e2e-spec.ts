import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import {
  McpArg,
  McpComplete,
  McpContext,
  McpExecution,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpStdio,
  McpTool,
  type McpToolContext,
} from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { accept, answerInput, createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import {
  Catch,
  Controller,
  Get,
  Injectable,
  UnauthorizedException,
  UseFilters,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { z } from 'zod';
import { call, olderCall, request, type Target } from './wire.js';

/** The line that public guards begin with. */
class UsualGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>();
    if (headers.authorization !== 'Bearer sesame') throw new UnauthorizedException();
    return true;
  }
}

let audited: string[] = [];

/** An audit that writes down HTTP requests alone. */
class UsualAudit implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() === 'http') audited.push(`${context.getClass().name}.${context.getHandler().name}`);
    return next.handle();
  }
}

/** Answers HTTP requests, and hands on what came otherwise. */
@Catch(TypeError)
class UsualFilter implements ExceptionFilter {
  catch(error: TypeError, host: ArgumentsHost): unknown {
    if (host.getType() !== 'http') throw error;
    const response = host.switchToHttp().getResponse<{ status(code: number): { json(body: unknown): unknown } }>();
    return response.status(422).json({ statusCode: 422, message: 'said for HTTP' });
  }
}

@Injectable()
class Handlers {
  @McpTool({ description: 'x' })
  enter(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseFilters(UsualFilter)
  fails(): string {
    throw new TypeError('internal');
  }

  @McpTool({ description: 'x' })
  @McpTask()
  async asks(@McpContext() ctx: McpToolContext): Promise<string> {
    const { action } = await ctx.elicit('q', { message: 'Go on?', schema: z.object({ a: z.string() }) });
    return `entered ${action}`;
  }

  @McpTool({ description: 'x', name: 'type' })
  type(): string {
    return types.at(-1) ?? 'not asked';
  }

  @McpPrompt()
  greet(@McpArg('name') name: string): string {
    return `Hello ${name}`;
  }

  @McpComplete({ prompt: 'greet', argument: 'name' })
  names(): string[] {
    return ['Ada'];
  }

  @McpResource({ uri: 'thing:fixed' })
  fixed(): string {
    return 'entered';
  }

  @McpResourceTemplate({ uriTemplate: 'thing://{x}' })
  template(@McpArg('x') x: string): string {
    return x;
  }
}

@Controller('rest')
class Rest {
  @Get()
  get(): string {
    return 'entered';
  }
}

let types: string[] = [];

const REQUESTS = [
  ['tools/call', { name: 'enter', arguments: {} }],
  ['tools/call', { name: 'fails', arguments: {} }],
  ['tools/call', { name: 'asks', arguments: {} }],
  ['prompts/get', { name: 'greet', arguments: { name: 'Ada' } }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'A' } }],
  ['resources/read', { uri: 'thing:fixed' }],
  ['resources/read', { uri: 'thing://one' }],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
] as const;
const OLDER = REQUESTS;
const MODERN = [...REQUESTS, ['server/discover', {}], ['subscriptions/listen', { notifications: {} }]] as const;

describe('S-1: over HTTP the context type is "http", so that guards written for HTTP are asked', () => {
  let testing: McpTestingApp;
  const token = { authorization: 'Bearer sesame' };
  const signedIn = (): Target => ({ url: testing.url, headers: token });

  beforeAll(async () => {
    testing = await createMcpTestingApp({
      imports: [McpTasksModule.forRoot()],
      providers: [Handlers],
      controllers: [Rest],
      configure: (app) => app.useGlobalGuards(new UsualGuard()).useGlobalInterceptors(new UsualAudit()),
    });
  });
  beforeEach(() => (audited = []));
  afterAll(() => testing.close());

  it('refuses the REST route of the same application', async () => {
    expect((await fetch(new URL('/rest', testing.url))).status).toBe(401);
  });

  it.each(MODERN)('refuses %s %j', async (method, params) => {
    expect((await call(testing, method, params)).status).toBe(401);
  });

  it.each(OLDER)('refuses an older client %s %j', async (method, params) => {
    expect((await olderCall(testing, method, params)).status).toBe(401);
  });

  it('refuses the handshake of an older client', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    expect((await olderCall(testing, 'initialize', params)).status).toBe(401);
    expect((await olderCall(testing, 'ping')).status).toBe(401);
  });

  it('lets in who has a token, and audits each of them', async () => {
    const { message } = await call(signedIn(), 'tools/call', { name: 'enter', arguments: {} });
    expect(message.result.content).toEqual([{ type: 'text', text: 'entered' }]);
    const older = await olderCall(signedIn(), 'tools/call', { name: 'enter', arguments: {} });
    expect(older.message.result.content).toEqual([{ type: 'text', text: 'entered' }]);
    await call(signedIn(), 'prompts/get', { name: 'greet', arguments: { name: 'Ada' } });
    await call(signedIn(), 'resources/read', { uri: 'thing:fixed' });
    expect(audited).toEqual(['Handlers.enter', 'Handlers.enter', 'Handlers.greet', 'Handlers.fixed']);
  });

  it('answers JSON-RPC when a filter for HTTP has answered by the response', async () => {
    const { status, message } = await call(signedIn(), 'tools/call', { name: 'fails', arguments: {} });
    expect(status).toBe(200);
    expect(message.result).toEqual(expect.objectContaining({ isError: true, content: [{ type: 'text', text: 'said for HTTP' }] }));
  });

  it('asks again, as of HTTP, when the answer to a task is sent', async () => {
    const client = testing.client({ headers: token }).withTasks();
    const { result } = await client.callTool('asks');
    await pollTask(client, result!.taskId!);
    audited = [];
    await answerInput(client, { taskId: result!.taskId! }, { q: accept({ a: 'yes' }) });
    expect(await pollTask(client, result!.taskId!)).toMatchObject({ status: 'completed' });
    expect(audited).toEqual(['Handlers.asks']);
  });
});

describe('S-1: where no HTTP client waits, the type stays "mcp"', () => {
  it('and McpExecution.find() finds the execution whatever the type', async () => {
    const found: (string | undefined)[] = [];
    const spy: CanActivate = {
      canActivate(context) {
        types.push(context.getType<string>());
        found.push(McpExecution.find(context)?.handler.name);
        return true;
      },
    };
    const testing = await createMcpTestingApp({
      imports: [McpTasksModule.forRoot()],
      providers: [Handlers],
      configure: (app) => app.useGlobalGuards(spy),
    });
    types = [];
    const input = new PassThrough();
    const output = new PassThrough();
    const over = McpStdio.serve(testing.app, { input, output });
    input.write(`${JSON.stringify(request('tools/call', { name: 'type', arguments: {} }))}\n`);
    const [line] = (await once(output, 'data')) as [Buffer];
    expect(JSON.parse(line.toString()).result.content).toEqual([{ type: 'text', text: 'mcp' }]);
    const http = await call(testing, 'tools/call', { name: 'type', arguments: {} });
    expect(http.message.result.content).toEqual([{ type: 'text', text: 'http' }]);
    expect([types, found]).toEqual([
      ['mcp', 'http'],
      ['type', 'type'],
    ]);
    input.end();
    await over;
    await testing.close();
  });
});
