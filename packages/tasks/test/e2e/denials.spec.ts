import { STATUS_CODES } from 'node:http';
import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { answerInput, createMcpTestingApp, pollTask } from '@mocapi/testing';
import {
  BadRequestException,
  Catch,
  Controller,
  HttpException,
  Injectable,
  Module,
  Scope,
  UnauthorizedException,
  UseGuards,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
} from '@nestjs/common';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp, type TasksAppOptions } from './support/tasks-app.js';

/** What the guard under test does; each test sets it. */
let decide: (context: ExecutionContext) => boolean;
let evaluated: ExecutionContext[];
let entered: string[];

@Injectable()
class TheGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    evaluated.push(context);
    return decide(context);
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'Behind a guard' })
  @McpTask()
  @UseGuards(TheGuard)
  async guarded(@McpContext() ctx: McpToolContext): Promise<string> {
    entered.push('guarded');
    return (await ask(ctx, 'sure')).action;
  }
}

const deny = (error?: Error) => (): boolean => {
  if (error) throw error;
  return false;
};

beforeEach(() => {
  decide = () => true;
  evaluated = [];
  entered = [];
});

/** Calls `guarded` as both kinds of client; returns their bodies, after checking that neither left a trace. */
async function deniedBoth(app: TasksApp): Promise<string[]> {
  const bodies: string[] = [];
  for (const client of [app.plain(), app.capable()]) {
    evaluated = [];
    const reply = await client.callTool('guarded', { unknown: 'bad arguments too' });
    expect(reply.status).toBe(200);
    expect(evaluated).toHaveLength(1);
    bodies.push(reply.raw);
  }
  expect(entered).toEqual([]);
  expect(app.store.size).toBe(0);
  expect(app.store.calls).toEqual([]);
  expect(app.load()).toEqual({ running: 0, queued: 0, zombies: 0 });
  return bodies;
}

const HOSTS: [string, () => Promise<TasksApp>][] = [
  ['a provider', () => startTasksApp({ tools: [Tools] })],
  ['a controller', () => startTasksApp(onController())],
  ['a factory', () => startTasksApp({ tools: [], providers: [{ provide: 'TOOLS', useFactory: () => new Tools() }] })],
  ['a class under another token', () => startTasksApp({ tools: [], providers: [{ provide: 'TOOLS', useClass: Tools }] })],
  ['request scope', () => startTasksApp({ tools: [requestScoped()] })],
  [
    'an app-wide filter that was written for HTTP',
    () => startTasksApp({ tools: [Tools], configure: (app) => app.useGlobalFilters(new HttpFilter()) }),
  ],
];

function onController(): TasksAppOptions {
  @Controller()
  class ToolsController extends Tools {}
  @Module({ controllers: [ToolsController] })
  class WithController {}
  return { tools: [], imports: [WithController] };
}

function requestScoped(): typeof Tools {
  @Injectable({ scope: Scope.REQUEST })
  class ScopedTools extends Tools {}
  return ScopedTools;
}

@Catch()
class HttpFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const status = error instanceof HttpException ? error.getStatus() : 500;
    host.switchToHttp().getResponse<{ status(code: number): { send(body: unknown): void } }>().status(status).send({ caught: true });
  }
}

describe.each(HOSTS)('a denial on %s', (_host, start) => {
  let app: TasksApp;

  beforeAll(async () => {
    app = await start();
  });

  afterAll(() => app.close());

  it.each<[string, () => boolean, number]>([
    ['a guard that says no', deny(), 403],
    ['a guard that throws the 401 of a passport guard', deny(new UnauthorizedException('secret reason')), 401],
    ['a guard that throws what a pipe would', deny(new BadRequestException('secret reason')), 400],
    ['a guard that breaks', deny(new Error('secret reason')), 403],
  ])('is the same for both kinds of client, leaves nothing and evaluates the guard once: %s', async (_how, decision, code) => {
    decide = decision;
    const [sync, capable] = await deniedBoth(app);
    expect(capable).toBe(sync);
    expect(JSON.parse(capable!).error).toEqual({ code, message: STATUS_CODES[code] });
    expect(capable).not.toContain('secret');
  });

  it("is decided with the author's handler and class", async () => {
    decide = () => false;
    await app.capable().callTool('guarded');
    const [context] = evaluated;
    expect(context!.getHandler()).toBe(Tools.prototype.guarded);
    expect(context!.getClass().prototype).toHaveProperty('guarded');
    expect([context!.getClass(), Object.getPrototypeOf(context!.getClass())]).toContain(Tools);
  });
});

describe('a denial of a class in two modules', () => {
  it('holds, whichever of its instances is asked', async () => {
    @Module({ providers: [Tools] })
    class One {}
    @Module({ providers: [Tools] })
    class Two {}
    const app = await createMcpTestingApp({ imports: [McpTasksModule.forRoot(), One, Two] });
    decide = () => false;
    expect((await app.client().withTasks().callTool('guarded')).error).toEqual({ code: 403, message: 'Forbidden' });
    expect(entered).toEqual([]);
    await app.close();
  });
});

describe('the code of a denial', () => {
  it('can be configured, for the call and for a later execution alike', async () => {
    const app = await startTasksApp({ tools: [Tools], server: { forbiddenCode: 1010 } });
    const client = app.capable();
    const taskId = await startTask(client, 'guarded');
    await pollTask(client, taskId);
    decide = () => false;
    const [sync, capable] = [await app.plain().callTool('guarded'), await app.capable().callTool('guarded')];
    expect(capable.raw).toBe(sync.raw);
    expect(capable.error).toEqual({ code: 1010, message: 'Forbidden' });
    await answerInput(client, { taskId }, yes('sure'));
    expect(await pollTask(client, taskId)).toMatchObject({ status: 'failed', error: { code: 1010, message: 'Forbidden' } });
    await app.close();
  });
});

describe('a guard of a task tool', () => {
  let app: TasksApp;

  beforeAll(async () => {
    app = await startTasksApp({ tools: [Tools] });
  });

  afterAll(() => app.close());

  it.each<[string, () => boolean, number]>([
    ['says no', deny(), 403],
    ['throws a 401', deny(new UnauthorizedException('secret reason')), 401],
  ])(
    'that %s on a later execution fails the task with the code of the synchronous denial, and the body is not entered again',
    async (_how, decision, code) => {
      const client = app.capable();
      const taskId = await startTask(client, 'guarded');
      await pollTask(client, taskId);
      decide = decision;
      evaluated = [];
      await answerInput(client, { taskId }, yes('sure'));
      const task = await pollTask(client, taskId);
      expect(task).toMatchObject({ status: 'failed', statusMessage: STATUS_CODES[code], error: { code, message: STATUS_CODES[code] } });
      expect(JSON.stringify(task)).not.toContain('secret');
      expect([evaluated.length, entered]).toEqual([1, ['guarded']]);
    },
  );

  it('sees on a later execution the request that brought the answer', async () => {
    const client = app.testing.client({ headers: { 'x-user': 'alice' } }).withTasks();
    const taskId = await startTask(client, 'guarded');
    await pollTask(client, taskId);
    evaluated = [];
    await client.request('tasks/update', { taskId, inputResponses: yes('sure') }, { headers: { 'x-trace': 'second' } });
    await pollTask(client, taskId);
    const request = evaluated[0]!.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    expect(request.headers['x-trace']).toBe('second');
  });

  it('that sets request.user does not change who owns the task', async () => {
    decide = (context) => {
      const request = context.switchToHttp().getRequest<{ user?: unknown; headers: Record<string, unknown> }>();
      request.user = { id: 'mallory' };
      request.headers['x-user'] = 'mallory';
      return true;
    };
    const taskId = await startTask(app.capable('alice'), 'guarded');
    expect(app.store.last(taskId)?.principal).toEqual({ id: 'alice' });
    const [owner, other] = [
      await app.capable('alice').request('tasks/get', { taskId }),
      await app.capable('mallory').request('tasks/get', { taskId }),
    ];
    expect(owner.result?.taskId).toBe(taskId);
    expect(other.error).toEqual({ code: -32602, message: 'Unknown task' });
    await answerInput(app.capable('alice'), { taskId }, yes('sure'));
    expect(await pollTask(app.capable('alice'), taskId)).toMatchObject({ status: 'completed' });
    expect(app.store.last(taskId)?.principal).toEqual({ id: 'alice' });
  });
});
