import { McpArg, McpArgs, McpContext, McpExecution, McpTool, type JsonObject, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp, type McpTestingParts } from '@mocapi/testing';
import {
  applyDecorators,
  BadRequestException,
  createParamDecorator,
  Inject,
  Injectable,
  Module,
  Scope,
  SetMetadata,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { APP_INTERCEPTOR, APP_PIPE, REQUEST, Reflector } from '@nestjs/core';
import { IsInt, Min } from 'class-validator';
import { map, Observable, of, throwError, timer } from 'rxjs';
import { prepareHandler } from '../../src/handlers/nest/prepare-handler.js';
import { ask } from '../support/questions.js';
import { run, runToEnd, valueOf } from '../support/tool-runner.js';
import { ToyTask } from '../support/toy-task.js';
import { failOnUnhandledRejections } from '../../../../test/support/unhandled-rejections.js';

let seen: unknown[] = [];
beforeEach(() => (seen = []));
failOnUnhandledRejections();

let testing: McpTestingApp | undefined;
const start = async (parts: McpTestingParts & { configure?: (app: McpTestingApp['app']) => unknown }): Promise<McpTestingApp> =>
  (testing = await createMcpTestingApp(parts));
afterEach(async () => {
  await testing?.close();
  testing = undefined;
});

const User = createParamDecorator((field: string, context: ExecutionContext) => {
  return (context.switchToHttp().getRequest<{ user?: Record<string, unknown> }>().user ?? {})[field];
});

/** As passport's guards work: reads a header, leaves a user. */
const headerGuard: CanActivate = {
  canActivate(context) {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    request.user = { name: request.headers['x-user'] };
    return true;
  },
};

class Amount {
  @IsInt() @Min(0) amount!: number;
}

describe('what a Nest context holds', () => {
  it('is the live request for HTTP guards and parameter decorators, a response that is never the real one, and the execution', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      @UseGuards(headerGuard)
      @UseInterceptors({
        intercept(context: ExecutionContext, next) {
          const execution = McpExecution.of(context);
          const http = context.switchToHttp();
          http.getResponse<{ header(name: string, value: string): unknown }>().header('x-from', 'interceptor');
          seen.push(
            context.getType(),
            http.getRequest<{ method: string }>().method,
            execution.mode,
            execution.trigger,
            execution.mayBecomeTask,
          );
          seen.push(execution.handler.name, execution.envelope.protocolVersion, execution.arguments);
          return next.handle();
        },
      })
      who(@User('name') name: string): string {
        return name;
      }
    }
    const { client } = await start({ providers: [Tools] });
    const { result, headers } = await client().callTool('who', {}, { headers: { 'x-user': 'ada' } });
    expect(result?.content).toEqual([{ type: 'text', text: 'ada' }]);
    expect(headers.get('x-from')).toBeNull();
    expect(seen).toEqual(['http', 'POST', 'sync', 'call', false, 'who', '2026-07-28', {}]);
  });

  it('is no execution of ours where the arguments hold none', () => {
    const context = { getArgByIndex: () => undefined, getType: () => 'http' } as never;
    expect(() => McpExecution.of(context)).toThrow(/use McpExecution.find\(\)/);
    expect(McpExecution.find(context)).toBeUndefined();
  });

  it('is for a guard of the endpoint an execution where a handler runs, and none where none does, which is no error to ask for', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      run(): string {
        return 'done';
      }
    }
    const guard: CanActivate = {
      canActivate: (context) => {
        seen.push(McpExecution.find(context)?.handler.name);
        if (!McpExecution.find(context)) expect(() => McpExecution.of(context)).toThrow(/use McpExecution.find/);
        return true;
      },
    };
    const { client } = await start({ providers: [Tools], options: { guards: [guard] } });
    expect((await client().listTools()).status).toBe(200);
    expect((await client().callTool('run')).status).toBe(200);
    expect(seen).toEqual([undefined, 'run']);
  });

  it('gives guards and interceptors the method and the class of the author, with their metadata', async () => {
    @Injectable()
    class RolesGuard implements CanActivate {
      constructor(private readonly reflector: Reflector) {}

      canActivate(context: ExecutionContext): boolean {
        seen.push(this.reflector.getAllAndOverride('roles', [context.getHandler(), context.getClass()]));
        return true;
      }
    }
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      @SetMetadata('roles', ['editor'])
      @UseGuards(RolesGuard)
      roles(): string {
        return 'done';
      }
    }
    const { client } = await start({ providers: [Tools] });
    await client().callTool('roles');
    expect(seen).toEqual([['editor']]);
  });

  it('is the request for @Inject(REQUEST), and each call has its own instance', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Tools {
      private calls = 0;

      constructor(@Inject(REQUEST) private readonly request: { headers: Record<string, string> }) {}

      @McpTool({ description: 'x' })
      whose(): string {
        this.calls += 1;
        return `${this.request.headers['x-user']} ${this.calls}`;
      }
    }
    const { client } = await start({ providers: [Tools] });
    const calls = ['ada', 'bob'].map((user) => client().callTool('whose', {}, { headers: { 'x-user': user } }));
    expect((await Promise.all(calls)).map(({ result }) => result?.content?.[0]?.text)).toEqual(['ada 1', 'bob 1']);
  });
});

describe('enhancers of the whole app', () => {
  @Injectable()
  class Tools {
    @McpTool({ description: 'x' })
    add(@McpArgs() { amount }: Amount): { amount: number } {
      return { amount };
    }
  }

  class Wrap implements NestInterceptor {
    intercept: NestInterceptor['intercept'] = (_context, next) => next.handle().pipe(map((data: unknown) => ({ data })));
  }

  it('wrap what a tool returns and never the JSON-RPC message', async () => {
    const { client } = await start({ providers: [Tools, { provide: APP_INTERCEPTOR, useClass: Wrap }] });
    const { result } = await client().callTool('add', { amount: 1 });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { data: { amount: 1 } } });
    expect((await client().listTools()).result?.tools).toHaveLength(1);
  });

  it.each([
    ['APP_PIPE', { providers: [Tools, { provide: APP_PIPE, useValue: spyPipe() }] }],
    ['useGlobalPipes', { providers: [Tools], configure: (app: McpTestingApp['app']) => app.useGlobalPipes(spyPipe()) }],
  ])('see the arguments by %s as a body, checked already', async (_how, parts) => {
    const { client } = await start(parts);
    await client().callTool('add', { amount: 1 });
    expect(seen).toEqual([['body', Amount, false]]);
    seen = [];
    expect((await client().callTool('add', { amount: 'much' })).result?.isError).toBe(true);
    expect(seen).toEqual([]);
  });

  function spyPipe(): PipeTransform {
    return {
      transform(value: unknown, { type, metatype }) {
        seen.push([type, metatype, value instanceof Amount]);
        return value;
      },
    };
  }
});

describe('a ValidationPipe of the whole app', () => {
  @Injectable()
  class Tools {
    @McpTool({ description: 'x' })
    pay(@McpArgs() args: Amount, @McpContext() ctx: McpToolContext, @User('name') name?: string): unknown {
      return { isDto: args instanceof Amount, canAsk: typeof ctx.elicit, name: name ?? 'nobody' };
    }
  }
  const pipe = (): ValidationPipe =>
    new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true, validateCustomDecorators: true });

  it('leaves the context whole and the arguments an instance of their class', async () => {
    const { client } = await start({ providers: [Tools], configure: (app) => app.useGlobalPipes(pipe()) });
    const { result } = await client().callTool('pay', { amount: 1 });
    expect(result?.structuredContent).toEqual({ isDto: true, canAsk: 'function', name: 'nobody' });
  });

  it('or the schema before it refuses what does not belong, as an isError result', async () => {
    const { client } = await start({ providers: [Tools], configure: (app) => app.useGlobalPipes(pipe()) });
    for (const args of <JsonObject[]>[{ amount: -1 }, { amount: 1.5 }, { amount: 1, more: 1 }]) {
      expect((await client().callTool('pay', args)).result).toMatchObject({ isError: true });
    }
  });
});

describe('arguments', () => {
  @Injectable()
  class Doubling implements PipeTransform<number, Promise<number>> {
    constructor(@Inject('factor') private readonly factor: number) {}

    async transform(value: number): Promise<number> {
      if (value > 100) throw new BadRequestException('at most 100');
      await Promise.resolve();
      return value * this.factor;
    }
  }

  @Injectable()
  class Tools {
    @McpTool({ description: 'x' })
    @UseGuards({ canActivate: () => seen.push('guard') > 0 })
    twice(@McpArg('n', { pipes: [Doubling] }) n: number, @McpArg('m', { default: 7 }) m: number): string {
      return `${n} ${m}`;
    }

    @McpTool({ description: 'x' })
    @UsePipes({ transform: (value: unknown) => (typeof value === 'number' ? value + 1 : value) })
    plusOne(@McpArg('n') n: number): string {
      return `${n}`;
    }
  }
  const app = (): Promise<McpTestingApp> => start({ providers: [Tools, { provide: 'factor', useValue: 2 }] });

  it('go through pipes that are classes with dependencies and take their time', async () => {
    expect(valueOf(await run(await app(), 'twice', { arguments: { n: 21 } }))).toBe('42 7');
    expect(valueOf(await run(testing!, 'plusOne', { arguments: { n: 1 } }))).toBe('2');
  });

  it('are checked after the guards and before the pipes, and a denial comes first', async () => {
    const outcome = await run(await app(), 'twice', { arguments: { n: ['many'] } });
    expect(outcome).toMatchObject({ result: { isError: true, content: [{ text: expect.stringContaining('n') }] } });
    expect(seen).toEqual(['guard']);
  });

  it('that a pipe refuses are an isError result with its message', async () => {
    const outcome = await run(await app(), 'twice', { arguments: { n: 101 } });
    expect(outcome).toMatchObject({ kind: 'completed', result: { isError: true, content: [{ text: 'at most 100' }] } });
  });
});

describe('a handler', () => {
  it.each<[string, () => unknown, unknown]>([
    ['an Observable, of which the last value counts', () => of(1, 2, 3), 3],
    ['an Observable that takes its time', () => timer(1).pipe(map(() => 'later')), 'later'],
    ['an Observable without a value', () => of(), ''],
    ['a promise of an Observable', async () => of('inner'), 'inner'],
  ])('may return %s', async (_what, body, value) => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      tool(): unknown {
        return body();
      }
    }
    expect(valueOf(await run(await start({ providers: [Tools] }), 'tool'))).toBe(value);
  });

  it('may ask inside an Observable, or fail in one', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      asks(@McpContext() ctx: McpToolContext): Observable<unknown> {
        return new Observable((subscriber) => {
          ask(ctx, 'a').then(
            ({ action }) => (subscriber.next(action), subscriber.complete()),
            (error: unknown) => subscriber.error(error),
          );
        });
      }

      @McpTool({ description: 'x' })
      fails(): Observable<unknown> {
        return throwError(() => new BadRequestException('in the stream'));
      }
    }
    const app = await start({ providers: [Tools] });
    expect(valueOf(await runToEnd(app, 'asks'))).toBe('accept');
    expect(await run(app, 'fails')).toMatchObject({ result: { isError: true, content: [{ text: 'in the stream' }] } });
  });

  it('gets what other modules export', async () => {
    @Injectable()
    class Greeter {
      greet = (): string => 'hello';
    }
    @Module({ providers: [Greeter], exports: [Greeter] })
    class GreeterModule {}
    @Injectable()
    class Tools {
      constructor(private readonly greeter: Greeter) {}

      @McpTool({ description: 'x' })
      greet(): string {
        return this.greeter.greet();
      }
    }
    @Module({ imports: [GreeterModule], providers: [Tools] })
    class ToolsModule {}
    expect(valueOf(await run(await start({ imports: [ToolsModule] }), 'greet'))).toBe('hello');
  });
});

describe('decorators', () => {
  const order = (name: string): NestInterceptor => ({
    intercept: (_context, next) => (seen.push(name), next.handle()),
  });
  const First = (): MethodDecorator =>
    applyDecorators(McpTool({ description: 'x' }), UseInterceptors(order('own')), UseGuards(headerGuard));
  const Last = (): MethodDecorator => applyDecorators(UseGuards(headerGuard), UseInterceptors(order('own')), McpTool({ description: 'x' }));

  it.each([
    ['first', First],
    ['last', Last],
  ])('compose with applyDecorators, @McpTool %s', async (_where, Composed) => {
    @Injectable()
    class Tools {
      @Composed()
      composed(@User('name') name: string): string {
        return name;
      }
    }
    const { client } = await start({ providers: [Tools] });
    expect((await client().callTool('composed', {}, { headers: { 'x-user': 'ada' } })).result?.content?.[0]?.text).toBe('ada');
    expect(seen).toEqual(['own']);
  });

  abstract class Base {
    abstract who(): string;

    @McpTool({ description: 'x', name: '${TOOL_NAME:inherited}' })
    @UseInterceptors(order('base'))
    inherited(@McpArg('n') n: number, @McpContext() _ctx: McpToolContext): string {
      return `${this.who()} ${n}`;
    }
  }

  @Injectable()
  class Heir extends Base {
    override who = (): string => 'heir';
  }

  it('are inherited, and each of the subclasses is admitted through its own gate', async () => {
    @Injectable()
    class Other extends Base {
      override who = (): string => 'other';

      @McpTool({ description: 'x', name: 'overridden' })
      override inherited(@McpArg('n') n: number, @McpContext() ctx: McpToolContext): string {
        return super.inherited(n + 1, ctx);
      }
    }
    const app = await start({ providers: [Heir, Other] });
    for (const [tool, value] of [
      ['inherited', 'heir 1'],
      ['overridden', 'other 2'],
    ] as const) {
      const task = new ToyTask();
      expect(valueOf(await run(app, tool, { arguments: { n: 1 }, admission: task }))).toBe(value);
      expect(task.admitted).toBe(1);
    }
    expect(seen).toEqual(['base']);
  });

  it('are shared by subclasses that share a method, and preparing it again changes nothing', async () => {
    @Injectable()
    class Second extends Base {
      override who = (): string => 'second';
    }
    const one = await start({ providers: [Heir] });
    prepareHandler({ classRef: Heir, methodName: 'inherited' });
    const task = new ToyTask();
    expect(valueOf(await run(one, 'inherited', { arguments: { n: 1 }, admission: task }))).toBe('heir 1');
    await one.close();
    const two = await start({ providers: [Second] });
    expect(valueOf(await run(two, 'inherited', { arguments: { n: 2 }, admission: task }))).toBe('second 2');
    expect(task.admitted).toBe(2);
    expect(seen).toEqual(['base', 'base']);
  });
});
