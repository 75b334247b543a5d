import { McpArg, McpContext, McpError, McpExecution, McpTool, McpToolError, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type LogEntry, type McpTestingApp } from '@mocapi/testing';
import {
  BadRequestException,
  Catch,
  Controller,
  HttpException,
  Injectable,
  IntrinsicException,
  NotFoundException,
  Scope,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import { tap } from 'rxjs';
import { ask } from '../support/questions.js';
import { run } from '../support/tool-runner.js';

let body: (ctx: McpToolContext) => unknown;
let seen: string[] = [];

class OwnError extends Error {}

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  fails(@McpContext() ctx: McpToolContext): unknown {
    return body(ctx);
  }

  @McpTool({ description: 'x' })
  refuses(@McpArg('x', { default: 1, pipes: [{ transform: () => body(undefined as never) }] }) _x: number): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseInterceptors({ intercept: () => body(undefined as never) as never })
  intercepted(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(tap(() => body(undefined as never))) })
  interceptedAfterwards(): string {
    seen.push('body');
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseGuards({ canActivate: () => body(undefined as never) as never })
  guarded(): string {
    return 'entered';
  }
}

const fail = (error: unknown) => (): never => {
  throw error;
};
const SECRET = 'secret at /etc/passwd';
const shown = { kind: 'shown', isError: true };

let testing: McpTestingApp | undefined;
const start = async (parts: Parameters<typeof createMcpTestingApp>[0]): Promise<McpTestingApp> =>
  (testing = await createMcpTestingApp(parts));
afterEach(async () => {
  await testing?.close();
  testing = undefined;
});
beforeEach(() => (seen = []));

/** What was logged about failures since the app was up. */
const failures = (): LogEntry[] =>
  testing!.logs.filter(
    ({ level, context }) => (level === 'error' || level === 'warn') && !['McpModule', 'RouterExceptionFilters'].includes(context ?? ''),
  );
const call = async (tool: string) => testing!.client().callTool(tool);
const textOf = async (tool: string): Promise<unknown> => {
  const { result, error, status } = await call(tool);
  return error
    ? { status, error }
    : { ...shown, isError: result?.isError ?? false, text: result?.content?.map(({ text }) => text).join('\n') };
};

describe('where an error arose decides what it is, not its class', () => {
  beforeEach(() => start({ providers: [Tools] }));

  it.each([
    ['fails', 'by the body'],
    ['refuses', 'by a pipe'],
    ['intercepted', 'by an interceptor'],
    ['interceptedAfterwards', 'by an interceptor, after the body'],
  ])('an UnauthorizedException in %s is an isError result with its message: thrown %s', async (tool) => {
    body = fail(new UnauthorizedException('not yours'));
    expect(await textOf(tool)).toEqual({ ...shown, text: 'not yours' });
    expect(failures()).toEqual([]);
  });

  it('a BadRequestException of a guard is a denial with its status as code', async () => {
    body = fail(new BadRequestException(SECRET));
    expect(await textOf('guarded')).toEqual({ status: 200, error: { code: 400, message: 'Bad Request' } });
  });

  it.each(['fails', 'refuses', 'intercepted', 'interceptedAfterwards', 'guarded'])(
    'an McpError in %s is a JSON-RPC error as it is',
    async (tool) => {
      body = fail(new McpError(1050, 'as it is', { data: { why: 1 } }));
      expect(await textOf(tool)).toEqual({ status: 200, error: { code: 1050, message: 'as it is', data: { why: 1 } } });
    },
  );

  it('a cause that an McpError carries is logged and never sent', async () => {
    body = fail(new McpError(1050, 'as it is', { cause: new Error(SECRET) }));
    expect((await call('fails')).raw).not.toContain('secret');
    expect(failures()).toEqual([expect.objectContaining({ details: expect.stringContaining(SECRET) })]);
  });

  it('asking what the client did not declare is -32021 naming exactly that, with the HTTP status 400', async () => {
    body = (ctx) => ask(ctx, 'a');
    const { status, error } = await testing!.client({ capabilities: {} }).callTool('fails');
    expect({ status, error }).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
    });
  });
});

describe('messages for clients', () => {
  beforeEach(() => start({ providers: [Tools] }));

  it('a McpToolError gives its message, its content and its structured content', async () => {
    body = fail(
      new McpToolError('too long', { content: [{ type: 'text', text: 'more' }], structuredContent: { max: 3 }, cause: new Error(SECRET) }),
    );
    const { result, raw } = await call('fails');
    expect(result).toMatchObject({
      isError: true,
      content: [
        { type: 'text', text: 'too long' },
        { type: 'text', text: 'more' },
      ],
      structuredContent: { max: 3 },
    });
    expect(raw).not.toContain('secret');
  });

  it.each<[string, HttpException, string]>([
    ['a text', new NotFoundException('no such video'), 'no such video'],
    ['several messages', new BadRequestException(['one', 'two']), 'one; two'],
    ['an object with a message', new HttpException({ message: 'inner' }, 409), 'inner'],
    ['an object without', new HttpException({ code: 1 }, 409), '{"code":1}'],
    ['a bare text', new HttpException('bare', 503), 'bare'],
  ])('an HttpException gives its own: %s', async (_what, error, text) => {
    body = fail(error);
    expect(await textOf('fails')).toEqual({ ...shown, text });
    expect(failures()).toEqual([]);
  });

  it.each([
    ['an Error', () => new Error(SECRET)],
    ['an Error with a cause', () => new Error('outer', { cause: new Error(SECRET) })],
    ['a text', () => SECRET],
    ['an object', () => ({ message: SECRET })],
    ['nothing', () => undefined],
  ])('%s is masked under an errorId that stands in the log too', async (_what, error) => {
    body = () => Promise.reject(error());
    const { raw, result, status } = await call('fails');
    expect([status, result?.isError]).toEqual([200, true]);
    const [, errorId] = /^Internal error \(errorId ([0-9a-f-]{36})\)$/.exec(result?.content?.[0]?.text ?? '') ?? [];
    expect(errorId).toBeDefined();
    expect(failures().filter(({ message }) => message.includes(errorId!))).toHaveLength(1);
    expect(raw).not.toMatch(/secret|passwd|node_modules|\.ts|    at /);
  });

  it('a thrown value that throws when it is looked at is masked too, and no outcome is missing', async () => {
    const touched = fail(new Error(SECRET));
    const hostile: object = new Proxy({}, { get: touched, getPrototypeOf: touched, has: touched });
    body = () => Promise.reject(hostile);
    const { raw, error } = await call('fails');
    expect(error).toEqual({ code: -32603, message: 'Internal error', data: { errorId: expect.any(String) } });
    expect(raw).not.toContain('secret');
    expect((await run(testing!, 'fails')).kind).toBe('failed');
  });

  it('what a McpToolError carries that is no JSON is masked', async () => {
    body = fail(new McpToolError('too long', { structuredContent: { max: 3n } }));
    const { raw, status } = await call('fails');
    expect(status).toBe(200);
    expect(raw).toMatch(/Internal error/);
  });

  it('the cause of a McpToolError is logged', async () => {
    body = fail(new McpToolError('too long', { cause: new Error(SECRET) }));
    await call('fails');
    expect(failures()).toEqual([expect.objectContaining({ details: expect.stringContaining(SECRET) })]);
  });

  it('a masked error is logged once, with its stack and the tool', async () => {
    body = fail(new OwnError(SECRET));
    await call('fails');
    expect(failures()).toEqual([
      expect.objectContaining({ level: 'error', message: expect.stringContaining('fails'), details: expect.stringContaining(SECRET) }),
    ]);
  });
});

it('exposeErrorMessages sends the message of unexpected errors, and still no stack', async () => {
  await start({ providers: [Tools], options: { exposeErrorMessages: true } });
  body = fail(new Error('what went wrong'));
  const { result, raw } = await call('fails');
  expect(result?.content?.[0]?.text).toMatch(/^Internal error: what went wrong \(errorId /);
  expect(raw).not.toMatch(/    at |errors\.spec/);
});

describe('an exception filter', () => {
  @Catch(OwnError)
  class OwnFilter implements ExceptionFilter {
    catch(error: OwnError, host: ArgumentsHost): unknown {
      seen.push(`filter of ${McpExecution.of(host).handler.name}`);
      return filter(error, host);
    }
  }
  let filter: (error: Error, host: ArgumentsHost) => unknown;

  @Injectable()
  @UseFilters(OwnFilter)
  class ClassFiltered {
    @McpTool({ description: 'x' })
    fails(): never {
      throw new OwnError(SECRET);
    }
  }

  @Injectable({ scope: Scope.REQUEST })
  class MethodFiltered {
    @McpTool({ description: 'x' })
    @UseFilters(OwnFilter)
    fails(): never {
      throw new OwnError(SECRET);
    }
  }

  @Controller()
  class ControllerFiltered {
    @McpTool({ description: 'x' })
    @UseFilters(new OwnFilter())
    fails(): never {
      throw new OwnError(SECRET);
    }
  }

  @Injectable({ scope: Scope.REQUEST })
  class ScopedFilter extends OwnFilter {}

  const places: [string, Parameters<typeof createMcpTestingApp>[0]][] = [
    ['on a class', { providers: [ClassFiltered] }],
    ['on a method of a request-scoped class', { providers: [MethodFiltered] }],
    ['on a method of a controller', { controllers: [ControllerFiltered] }],
    ['as APP_FILTER', { providers: [Tools, { provide: APP_FILTER, useClass: OwnFilter }] }],
    ['as a request-scoped APP_FILTER', { providers: [Tools, { provide: APP_FILTER, useClass: ScopedFilter }] }],
    ['by useGlobalFilters', { providers: [Tools], configure: (app) => app.useGlobalFilters(new OwnFilter()) }],
  ];

  it.each(places)('%s turns an error into a result by the value it returns', async (_where, parts) => {
    body = fail(new OwnError(SECRET));
    filter = () => ({ filtered: true });
    await start(parts);
    expect((await call('fails')).result).toMatchObject({ structuredContent: { filtered: true } });
    expect(seen).toEqual(['filter of fails']);
    expect(failures()).toEqual([]);
  });

  const appFilter = () => start({ providers: [Tools, { provide: APP_FILTER, useClass: OwnFilter }] });

  it('may take its time', async () => {
    await appFilter();
    body = fail(new OwnError());
    filter = async () => 'later';
    expect(await textOf('fails')).toEqual({ kind: 'shown', isError: false, text: 'later' });
  });

  it('is asked about pipes and interceptors too', async () => {
    await appFilter();
    body = fail(new OwnError());
    filter = () => 'filtered';
    for (const tool of ['refuses', 'intercepted', 'interceptedAfterwards']) expect(await textOf(tool)).toMatchObject({ text: 'filtered' });
    expect(seen).toEqual(['filter of refuses', 'filter of intercepted', 'body', 'filter of interceptedAfterwards']);
  });

  it('of other errors is not asked, and the log is written once', async () => {
    await appFilter();
    body = fail(new Error(SECRET));
    await call('fails');
    expect(seen).toEqual([]);
    expect(failures()).toHaveLength(1);
  });

  it('that returns nothing leaves the error as it was, and its stack is logged once', async () => {
    await appFilter();
    body = fail(new OwnError(SECRET));
    filter = () => undefined;
    expect(await textOf('fails')).toMatchObject({ isError: true, text: expect.stringMatching(/^Internal error/) });
    expect(failures().filter((entry) => `${entry.message}${entry.details}`.includes(SECRET))).toHaveLength(1);
    expect(failures().filter(({ message }) => message.includes('errorId'))).toHaveLength(1);
  });

  it.each([
    ['an error that Nest never logs', () => new (class extends IntrinsicException {})(SECRET)],
    ['a text', () => SECRET],
  ])('that returns nothing does not swallow the log of %s', async (_what, error) => {
    await start({ providers: [Tools, { provide: APP_FILTER, useClass: CatchNothing }] });
    body = () => Promise.reject(error());
    await call('fails');
    expect(failures().filter((entry) => `${entry.message}${entry.details}`.includes('secret'))).toHaveLength(1);
  });

  it('that fails itself is the outcome, and a warning keeps the original error', async () => {
    await appFilter();
    body = fail(new OwnError(SECRET));
    filter = fail(new TypeError('defect in the filter'));
    expect(await textOf('fails')).toMatchObject({ isError: true, text: expect.stringMatching(/^Internal error \(errorId/) });
    expect(failures()).toEqual([
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('TypeError'), details: expect.stringContaining(SECRET) }),
      expect.objectContaining({ level: 'error', details: expect.stringContaining('defect in the filter') }),
    ]);
  });
});

@Catch()
class CatchNothing {
  catch(): void {}
}

describe('an app-wide filter written for HTTP', () => {
  type Reply = { status(code: number): Reply; code(code: number): Reply; send(body: unknown): Reply; json(body: unknown): Reply };
  let answer: (reply: Reply, error: unknown, host: ArgumentsHost) => unknown;

  @Catch()
  class HttpFilter implements ExceptionFilter {
    constructor(private readonly adapterHost: HttpAdapterHost) {}

    catch(error: unknown, host: ArgumentsHost): void {
      seen.push('filter');
      const reply = host.switchToHttp().getResponse<Reply>();
      if (answer) answer(reply, error, host);
      else this.adapterHost.httpAdapter.reply(reply, { message: 'by the adapter' }, 409);
    }
  }
  const httpFilter = () => start({ providers: [Tools, { provide: APP_FILTER, useClass: HttpFilter }] });

  it.each<[string, typeof answer]>([
    ['reply.status().send()', (reply) => reply.status(409).send({ message: 'from the filter' })],
    ['reply.code().send() of a text', (reply) => reply.code(409).send('from the filter')],
    ['reply.status().json()', (reply) => reply.status(409).json({ message: 'from the filter' })],
  ])('answers the tool call by %s and never the HTTP request', async (_how, how) => {
    answer = how;
    await httpFilter();
    body = fail(new Error(SECRET));
    expect(await call('fails')).toMatchObject({ status: 200, result: { isError: true, content: [{ text: 'from the filter' }] } });
  });

  it('answers through the adapter alike', async () => {
    answer = undefined as never;
    await httpFilter();
    body = fail(new Error(SECRET));
    expect(await textOf('fails')).toMatchObject({ isError: true, text: 'by the adapter' });
  });

  it('gives an ordinary result by a status below 400', async () => {
    answer = (reply) => reply.status(200).send({ fallback: true });
    await httpFilter();
    body = fail(new Error(SECRET));
    expect((await call('fails')).result).toMatchObject({ structuredContent: { fallback: true } });
  });

  it('never sees a denial, an McpError, a question, or arguments that the schema refuses', async () => {
    answer = (reply) => reply.status(418).send('from the filter');
    await httpFilter();
    body = () => false;
    expect((await call('guarded')).error).toEqual({ code: 403, message: 'Forbidden' });
    body = fail(new McpError(1050, 'as it is'));
    expect((await call('fails')).error).toEqual({ code: 1050, message: 'as it is' });
    body = (ctx) => ask(ctx, 'a');
    expect((await call('fails')).result?.resultType).toBe('input_required');
    expect((await testing!.client().callTool('refuses', { x: ['no number'] })).result).toMatchObject({ isError: true });
    expect(seen).toEqual([]);
  });

  it('that extends BaseExceptionFilter gives the message of an HttpException and masks the rest', async () => {
    @Catch()
    class AllFilter extends BaseExceptionFilter {}
    await start({ providers: [Tools, { provide: APP_FILTER, useClass: AllFilter }] });
    body = fail(new NotFoundException('no such video'));
    expect(await textOf('fails')).toEqual({ ...shown, text: 'no such video' });
    body = fail(new Error(SECRET));
    expect(await textOf('fails')).toEqual({ ...shown, text: 'Internal server error' });
  });
});
