import { DefinitionError, McpRegistrar, McpTool, type McpHandlerContext, type McpToolContext } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { accept, answerInput, pollTask, type McpListenStream } from '@mocapi/testing';
import {
  ForbiddenException,
  Inject,
  Injectable,
  Scope,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { z } from 'zod';
import { startListeningApp, type ListeningApp } from './listening-app.js';

@Injectable()
class Declared {
  @McpTool({ description: 'There from the start' })
  first(): string {
    return 'first';
  }
}

let app: ListeningApp;
let stream: McpListenStream | undefined;
afterEach(async () => {
  await stream?.close();
  stream = undefined;
  await app.close();
});

const sum = {
  name: 'sum',
  description: 'Adds',
  inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
  handler: ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
};

async function toolNames(): Promise<string[]> {
  return (await app.client().listTools()).result!.tools.map(({ name }) => name);
}

describe('a tool that is added while the server runs', () => {
  beforeEach(async () => void (app = await startListeningApp({ providers: [Declared] })));

  it('is listed behind the others and called, its arguments checked and filled in, and who listens is told', async () => {
    stream = await app.listen({ toolsListChanged: true });
    await app.registrar.addTool(sum);
    expect((await stream.next()).method).toBe('notifications/tools/list_changed');
    expect(await toolNames()).toEqual(['first', 'sum']);
    expect((await app.client().callTool('sum', { a: 2 })).result?.structuredContent).toEqual({ sum: 3 });
    expect((await app.client().callTool('sum', { a: 'two' })).result).toMatchObject({ isError: true });
  });

  it('shows in the list what it says of itself, and its results are checked', async () => {
    await app.registrar.addTool({
      name: 'half',
      title: 'Half',
      description: 'Halves',
      annotations: { readOnlyHint: true },
      outputSchema: { type: 'object', properties: { half: { type: 'number' } }, required: ['half'] },
      handler: () => ({ quarter: 1 }),
    });
    const [, tool] = (await app.client().listTools()).result!.tools;
    expect(tool).toMatchObject({ name: 'half', title: 'Half', annotations: { readOnlyHint: true }, outputSchema: { required: ['half'] } });
    expect(tool!.inputSchema).toMatchObject({ type: 'object', properties: {} });
    expect((await app.client().callTool('half')).result).toMatchObject({ isError: true });
    expect((await app.client().callTool('half', { surplus: 1 })).result).toMatchObject({ isError: true });
  });

  it('can ask the user, and goes on with the answer', async () => {
    await app.registrar.addTool({
      name: 'ask',
      description: 'Asks',
      handler: async (_args, ctx: McpToolContext) => {
        const answer = await ctx.elicit('sure', { message: 'Sure?', schema: z.object({ yes: z.boolean() }) });
        return answer.action === 'accept' ? String(answer.content.yes) : answer.action;
      },
    });
    const asked = await app.client().callTool('ask');
    expect(asked.result?.resultType).toBe('input_required');
    const answered = await answerInput(app.client(), asked, { sure: accept({ yes: true }) });
    expect(answered.result?.content?.[0]?.text).toBe('true');
  });

  it('is guarded by its own guards, given as instances or as classes', async () => {
    const seen: string[] = [];
    @Injectable()
    class Locked implements CanActivate {
      constructor(@Inject(Reflector) private readonly reflector: Reflector) {}

      canActivate(context: ExecutionContext): boolean {
        seen.push(this.reflector.get('role', context.getHandler()));
        throw new ForbiddenException();
      }
    }
    await app.registrar.addTool({ ...sum, name: 'locked', guards: [Locked], decorators: [SetMetadata('role', 'admin')] });
    await app.registrar.addTool({ ...sum, name: 'open', guards: [{ canActivate: () => true }] });
    expect((await app.client().callTool('locked', { a: 'bad' })).error).toMatchObject({ code: 403, message: 'Forbidden' });
    expect((await app.client().callTool('open', { a: 1 })).result?.structuredContent).toEqual({ sum: 2 });
    expect(seen).toEqual(['admin']);
  });

  it.each([
    ['a name that is taken', { ...sum, name: 'first' }, /name "first" is already used by Declared.first/],
    ['a name that is none', { ...sum, name: 'two words' }, /is not 1 to 128/],
    ['no description', { ...sum, description: ' ' }, /no description/],
    ['a schema that is none', { ...sum, inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } }, /nonsense|schema/],
    ['a mark of an extension that is not there', { ...sum, decorators: [McpTask()] }, /no imported module handles @McpTask/],
    ['several faults', { ...sum, name: 'two words', description: '' }, /no description.*is not 1 to 128/],
  ])('is refused with a DefinitionError, and nothing is added or told: %s', async (_what, registration, message) => {
    stream = await app.listen({ toolsListChanged: true, promptsListChanged: true });
    const adding = app.registrar.addTool(registration as typeof sum);
    await expect(adding).rejects.toThrow(DefinitionError);
    await expect(adding).rejects.toThrow(message);
    expect(await toolNames()).toEqual(['first']);
    app.notifier.promptsChanged();
    expect((await stream.next()).method).toBe('notifications/prompts/list_changed');
    await app.registrar.addTool({ ...sum, name: 'after' });
    expect(await toolNames()).toEqual(['first', 'after']);
  });

  it('is added once when two are added under one name at the same time', async () => {
    const outcomes = await Promise.allSettled([app.registrar.addTool(sum), app.registrar.addTool(sum)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await toolNames()).toEqual(['first', 'sum']);
  });
});

describe('a tool that is removed', () => {
  beforeEach(async () => void (app = await startListeningApp({ providers: [Declared] })));

  it('is unknown, whether it was added or declared, and who listens is told', async () => {
    await app.registrar.addTool(sum);
    stream = await app.listen({ toolsListChanged: true });
    expect([app.registrar.removeTool('sum'), app.registrar.removeTool('sum'), app.registrar.removeTool('first')]).toEqual([
      true,
      false,
      true,
    ]);
    expect((await stream.next()).method).toBe('notifications/tools/list_changed');
    expect(await toolNames()).toEqual([]);
    expect((await app.client().callTool('first')).error?.code).toBe(-32602);
  });

  it('finishes its calls in flight, and its name is free', async () => {
    let finish!: (text: string) => void;
    let entered!: () => void;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    await app.registrar.addTool({
      name: 'slow',
      description: 'Waits',
      handler: () => {
        entered();
        return new Promise((resolve) => (finish = resolve));
      },
    });
    const calling = app.client().callTool('slow');
    await inside;
    app.registrar.removeTool('slow');
    await app.registrar.addTool({ ...sum, name: 'slow' });
    finish('done');
    expect((await calling).result?.content?.[0]?.text).toBe('done');
    expect((await app.client().callTool('slow', { a: 1 })).result?.structuredContent).toEqual({ sum: 2 });
  });
});

describe('prompts, resources and templates', () => {
  it('are added and removed alike', async () => {
    app = await startListeningApp();
    stream = await app.listen({ promptsListChanged: true, resourcesListChanged: true });
    await app.registrar.addPrompt({ name: 'greet', inputSchema: z.object({ who: z.string() }), handler: ({ who }) => `Hello ${who}` });
    expect((await stream.next()).method).toBe('notifications/prompts/list_changed');
    await app.registrar.addResource({
      name: 'motd',
      uri: 'app://motd',
      handler: (ctx: McpHandlerContext) => `for ${ctx.principal?.id ?? 'all'}`,
    });
    expect((await stream.next()).method).toBe('notifications/resources/list_changed');
    await app.registrar.addResourceTemplate({ name: 'user', uriTemplate: 'app://users/{id}', handler: ({ id }) => `user ${id as string}` });
    expect((await stream.next()).method).toBe('notifications/resources/list_changed');

    const client = app.client('alice');
    const prompt = await client.request('prompts/get', { name: 'greet', arguments: { who: 'Ada' } });
    expect(prompt.result?.messages[0].content.text).toBe('Hello Ada');
    const read = async (uri: string) => (await client.request('resources/read', { uri })).result?.contents[0].text;
    expect(await Promise.all([read('app://motd'), read('app://users/7')])).toEqual(['for alice', 'user 7']);
    await expect(app.registrar.addResource({ name: 'other', uri: 'app://motd', handler: () => '' })).rejects.toThrow(/is already used by/);
    await expect(
      app.registrar.addResourceTemplate({ name: 'other', uriTemplate: 'app://users/{name}', handler: () => '' }),
    ).rejects.toThrow(/is already used by/);
    await expect(app.registrar.addResourceTemplate({ name: 'bad', uriTemplate: 'app://{', handler: () => '' })).rejects.toThrow(
      DefinitionError,
    );

    const removed = [
      app.registrar.removePrompt('greet'),
      app.registrar.removeResource('app://motd'),
      app.registrar.removeResourceTemplate('app://users/{id}'),
      app.registrar.removeResource('app://motd'),
    ];
    expect(removed).toEqual([true, true, true, false]);
    expect(await Promise.all([read('app://motd'), read('app://users/7')])).toEqual([undefined, undefined]);
  });

  it('of a kind that clients were told does not exist are refused, saying what to set', async () => {
    app = await startListeningApp({ providers: [Declared], advertise: [] });
    await expect(app.registrar.addPrompt({ name: 'greet', handler: () => '' })).rejects.toThrow("advertise: ['prompts']");
    await app.registrar.addTool(sum);
    expect(await toolNames()).toEqual(['first', 'sum']);
  });
});

describe('what is added before the server is up', () => {
  @Injectable()
  class Loader implements OnModuleInit {
    name = 'early';

    constructor(@Inject(McpRegistrar) private readonly registrar: McpRegistrar) {}

    async onModuleInit(): Promise<void> {
      await this.registrar.addTool({ ...sum, name: this.name });
      await this.registrar.addPrompt({ name: 'early', handler: () => 'early' });
    }
  }

  it('counts as declared: its kind is advertised, and it stands behind the declared ones', async () => {
    app = await startListeningApp({ providers: [Loader, Declared], advertise: [] });
    expect(await toolNames()).toEqual(['first', 'early']);
    expect((await app.client().discover()).result?.capabilities).toMatchObject({
      tools: { listChanged: true },
      prompts: { listChanged: true },
    });
    expect((await app.client().request('prompts/get', { name: 'early' })).result?.messages).toHaveLength(1);
  });

  it('fails the boot when a declared one has its name', async () => {
    @Injectable()
    class Clashing extends Loader {
      override name = 'first';
    }
    app = await startListeningApp();
    await expect(startListeningApp({ providers: [Clashing, Declared] })).rejects.toThrow(/the tool name "first" is already used by/);
  });
});

describe('the guards of the application', () => {
  it.each([Scope.DEFAULT, Scope.REQUEST])('guard what is added, in whatever scope: %p', async (scope) => {
    let asked = 0;
    @Injectable({ scope })
    class Everywhere implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        if (context.getHandler().name === 'sum') asked += 1;
        return context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers['x-user'] !== 'mallory';
      }
    }
    app = await startListeningApp({ providers: [Declared, { provide: APP_GUARD, useClass: Everywhere }] });
    await app.registrar.addTool(sum);
    expect((await app.client('alice').callTool('sum', { a: 1 })).result?.structuredContent).toEqual({ sum: 2 });
    expect((await app.client('mallory').callTool('sum', { a: 1 })).error?.message).toBe('Forbidden');
    expect(asked).toBe(2);
  });
});

describe('a task that is added', () => {
  it('runs as one, by the same decorator', async () => {
    app = await startListeningApp({ imports: [McpTasksModule.forRoot()] });
    await app.registrar.addTool({ ...sum, decorators: [McpTask({ ttl: 'PT1M' })] });
    const client = app.client().withTasks();
    const { result } = await client.callTool('sum', { a: 4 });
    expect(result).toMatchObject({ resultType: 'task', ttlMs: 60_000 });
    expect(await pollTask(client, result!.taskId!)).toMatchObject({ status: 'completed', result: { structuredContent: { sum: 5 } } });
  });
});
