import { McpTool } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import {
  Catch,
  createParamDecorator,
  Injectable,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { EMPTY, mergeMap, NEVER, of, type Observable } from 'rxjs';
import { call, olderCall, type WireAnswer } from './wire.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyResponse = any;
type Answering = (response: AnyResponse) => unknown;

/** The ways in which Express's and Fastify's replies end a response. */
const WAYS: Record<string, Answering> = {
  'sendStatus()': (res) => res.sendStatus(401),
  'status().send()': (res) => res.status(401).send({ message: 'no' }),
  'code().send()': (res) => res.code(401).send(),
  'status().json()': (res) => res.status(401).json({ message: 'no' }),
  'status().jsonp()': (res) => res.status(401).jsonp({}),
  'statusCode and end()': (res) => ((res.statusCode = 401), res.end()),
  'writeHead().end()': (res) => res.writeHead(401, { 'www-authenticate': 'Bearer' }).end('no'),
  'raw.writeHead() and raw.end()': (res) => (res.raw.writeHead(401), res.raw.end('no')),
  'redirect()': (res) => res.redirect('/login'),
  'redirect() after a turn': (res) => void setImmediate(() => res.redirect('/login')),
  'render()': (res) => res.status(401).render('login'),
  'sendFile()': (res) => res.status(401).sendFile('login.html'),
  'callNotFound()': (res) => res.callNotFound(),
  'destroy()': (res) => res.raw.destroy(),
};
const statusOf = (way: string): number => (/redirect|destroy/.test(way) ? 403 : /NotFound/.test(way) ? 404 : 401);

const responseOf = (context: ArgumentsHost): AnyResponse => context.switchToHttp().getResponse();
const headersOf = (context: ArgumentsHost) =>
  context.switchToHttp().getRequest<{ headers?: Record<string, string | undefined> }>().headers ?? {};
let fired = 0;
let bodies = 0;

/** A guard that answers as the header `x-way` says, where the header `x-at` names it, and then says nothing, or what `x-says` is. */
class Answers implements CanActivate {
  constructor(private readonly at: string) {}

  canActivate(context: ExecutionContext): true | Promise<boolean> {
    const { 'x-at': at, 'x-way': way, 'x-says': says } = headersOf(context);
    if (at !== this.at) return true;
    fired += 1;
    WAYS[way!]!(responseOf(context));
    if (says === 'yes') return true;
    return says === 'yes, later' ? Promise.resolve(true) : new Promise(() => undefined);
  }
}

const intercepted = (intercept: (response: AnyResponse, next: CallHandler) => Observable<unknown>): NestInterceptor => ({
  intercept(context, next) {
    fired += 1;
    return intercept(responseOf(context), next);
  },
});

/** Answers an error, and never settles. */
@Catch()
class NeverSettles implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): Promise<void> {
    fired += 1;
    responseOf(host).status(409).json({ message: 'closed' });
    return new Promise(() => undefined);
  }
}

const Reply = createParamDecorator((_data: unknown, context: ExecutionContext) => responseOf(context));
let finished = 0;

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  @UseGuards(new Answers('method'))
  guarded(): string {
    bodies += 1;
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @McpTask({ required: true })
  @UseGuards(new Answers('method'))
  background(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseInterceptors(intercepted((res) => (res.status(200).send('from the cache'), NEVER)))
  cached(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @McpTask({ required: true })
  @UseInterceptors(intercepted((res, next) => next.handle().pipe(mergeMap((value) => (res.send(`${String(value)} late`), NEVER)))))
  afterwardsTask(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseInterceptors(intercepted((res) => (res.send('from the cache'), EMPTY)))
  empty(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseInterceptors(intercepted((res) => (res.send('from the cache'), of(undefined))))
  silent(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseInterceptors(intercepted((res) => (res.status(429).json({ message: 'busy' }), NEVER)))
  refused(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseFilters(new NeverSettles())
  @UseInterceptors(intercepted((res) => (res.sendStatus(503), NEVER)))
  unfiltered(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseInterceptors(intercepted((res, next) => next.handle().pipe(mergeMap((value) => (res.send(`${String(value)} late`), NEVER)))))
  afterwards(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseInterceptors(intercepted((res, next) => (res.send('early'), next.handle())))
  async both(): Promise<string> {
    await new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
    finished += 1;
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseFilters(new NeverSettles())
  filtered(): string {
    throw new Error('secret');
  }

  @McpTool({ description: 'x' })
  byBody(@Reply() reply: AnyResponse): void {
    fired += 1;
    reply.status(200).send('from the body');
  }
}

type Send = typeof call;
const LEGS: [string, Send][] = [
  ['2026-07-28', call],
  ['an older client', olderCall],
];

/** The answer, or undefined when there is none within two seconds. */
const inTime = <T>(answer: Promise<T>): Promise<T | undefined> =>
  Promise.race([answer, new Promise<undefined>((resolve) => setTimeout(resolve, 2_000, undefined).unref())]);

describe('A-12: who answers the HTTP response ends the request', () => {
  let testing: McpTestingApp;
  beforeAll(async () => {
    testing = await createMcpTestingApp({
      imports: [McpTasksModule.forRoot()],
      providers: [Tools, { provide: APP_GUARD, useValue: new Answers('global') }],
      options: { name: 'test', version: '1.0.0', guards: [new Answers('endpoint')] },
    });
  });
  beforeEach(() => {
    fired = 0;
    finished = 0;
  });
  afterAll(() => testing.close());

  const tool = (send: Send, name: string, headers: Record<string, string> = {}): Promise<WireAnswer | undefined> =>
    inTime(send({ url: testing.url, headers }, 'tools/call', { name, arguments: {} }));

  it.each(LEGS.flatMap(([leg, send]) => ['method', 'endpoint', 'global'].map((at) => [leg, at, send] as const)))(
    'on the leg of %s, a guard of the %s that never settles',
    async (_leg, ...[at, send]) => {
      const ways = Object.keys(WAYS);
      const answers = await Promise.all(ways.map((way) => tool(send, 'guarded', { 'x-at': at, 'x-way': way })));
      expect(fired).toBe(ways.length);
      const codes = answers.map((answer, index) => [ways[index], answer?.message.error?.code]);
      expect(codes).toEqual(ways.map((way) => [way, statusOf(way)]));
    },
  );

  it.each(['yes', 'yes, later'])('N-5: a guard that answers 401 and then says "%s" has refused', async (says) => {
    bodies = 0;
    const at = ['method', 'endpoint', 'global'];
    const way = { 'x-way': 'status().send()', 'x-says': says };
    const answers = await Promise.all(at.map((place) => tool(call, 'guarded', { ...way, 'x-at': place })));
    expect(fired).toBe(3);
    expect(answers.map((answer) => answer?.message.error?.code)).toEqual([401, 401, 401]);
    expect(bodies).toBe(0);
  });

  it.each(LEGS)('on the leg of %s, a guard before a list', async (_leg, send) => {
    const headers = { 'x-at': 'endpoint', 'x-way': 'sendStatus()' };
    const answer = await inTime(send({ url: testing.url, headers }, 'tools/list'));
    expect([fired, answer?.status]).toEqual([1, 401]);
  });

  it('a guard of a task', async () => {
    const client = testing.client().withTasks();
    const headers = { 'x-at': 'method', 'x-way': 'sendStatus()' };
    const reply = await inTime(client.callTool('background', {}, { headers }));
    expect([fired, reply?.error?.code]).toEqual([1, 401]);
  });

  it.each(LEGS)("on the leg of %s, an interceptor's answer is the result", async (_leg, send) => {
    const names = ['cached', 'empty', 'silent', 'afterwards'];
    const answers = await Promise.all(names.map((name) => tool(send, name)));
    expect(fired).toBe(names.length);
    const texts = answers.map((answer) => answer?.message.result?.content?.[0]?.text);
    expect(texts).toEqual(['from the cache', 'from the cache', 'from the cache', 'entered late']);
  });

  it.each(LEGS)("on the leg of %s, an interceptor's refusal is the tool's error, and no filter changes it", async (_leg, send) => {
    const [refused, unfiltered] = await Promise.all([tool(send, 'refused'), tool(send, 'unfiltered')]);
    expect(fired).toBe(2);
    expect(refused?.message.result).toMatchObject({ isError: true, content: [{ text: 'busy' }] });
    expect(unfiltered?.message.result).toMatchObject({ isError: true, content: [{ text: 'Service Unavailable' }] });
  });

  it('a body that runs is never left behind, and its value counts', async () => {
    const answer = await tool(call, 'both');
    expect([fired, finished, answer?.message.result?.content[0].text]).toEqual([1, 1, 'entered']);
  });

  it.each(LEGS)('on the leg of %s, a filter that never settles', async (_leg, send) => {
    const answer = await tool(send, 'filtered');
    expect([fired, answer?.message.result?.content?.[0]?.text]).toEqual([1, 'closed']);
  });

  it('a body that answers by the response and returns nothing', async () => {
    const answer = await tool(call, 'byBody');
    expect([fired, answer?.message.result?.content?.[0]?.text]).toEqual([1, 'from the body']);
  });

  it('an interceptor of a task', async () => {
    const client = testing.client().withTasks();
    const { result } = await client.callTool('afterwardsTask');
    const task = await inTime(pollTask(client, result!.taskId!));
    expect([fired, task]).toMatchObject([1, { status: 'completed', result: { content: [{ text: 'entered late' }] } }]);
  });
});
