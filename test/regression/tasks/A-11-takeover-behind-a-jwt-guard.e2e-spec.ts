import { McpContext, McpPrincipalSource, McpTool, type McpPrincipal, type McpToolContext } from '@mocapi/core';
import { InMemoryTaskStore, McpTask, taskKeyOf } from '@mocapi/tasks';
import { FakeClock, pollTask } from '@mocapi/testing';
import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule, JwtService } from '@nestjs/jwt';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';

const SECRET = 'of the tests';
/** Of the default options, in milliseconds. */
const LEASE = 15_000;
const BEAT = LEASE / 5;
const TASKS = 50;

/** The guard of Nest's own documentation, unmodified but for its names. */
@Injectable()
class AuthGuard implements CanActivate {
  constructor(private readonly jwtService: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string | undefined>; user?: unknown }>();
    const [type, token] = request.headers['authorization']?.split(' ') ?? [];
    if (type !== 'Bearer' || token === undefined) throw new UnauthorizedException();
    try {
      request.user = await this.jwtService.verifyAsync(token, { secret: SECRET });
    } catch {
      throw new UnauthorizedException();
    }
    return true;
  }
}

class UserSource extends McpPrincipalSource {
  resolve({ user }: { user?: { sub: string } }): McpPrincipal | undefined {
    return user && { id: user.sub };
  }
}

let begun: { node: number; token: string | undefined }[] = [];
let finish: () => void = () => undefined;
let finished: Promise<void>;

function toolsOf(node: number) {
  @Injectable()
  class Tools {
    @McpTool({ description: 'Works until it is told to end' })
    @McpTask({ recover: 'replay' })
    async work(@McpContext() ctx: McpToolContext): Promise<string> {
      begun.push({ node, token: ctx.principal?.id });
      await finished;
      return `by node ${node}`;
    }
  }
  return Tools;
}

describe('A-11: the death of a node is invisible behind an ordinary JWT guard', () => {
  let nodes: TasksApp[];
  let clock: FakeClock;
  let store: InMemoryTaskStore;
  let authorization: string;

  async function node(name: number): Promise<TasksApp> {
    return startTasksApp({
      tools: [toolsOf(name)],
      imports: [JwtModule.register({ secret: SECRET })],
      providers: [{ provide: APP_GUARD, useClass: AuthGuard }],
      server: { providers: [{ provide: McpPrincipalSource, useClass: UserSource }] },
      store,
      clock,
    });
  }

  /** Tells the others nothing more of `session`, as if its process had been killed. */
  function silence(session: string): void {
    const index = store.runIndex;
    const beat = index.beat.bind(index);
    index.beat = (asked) => (asked === session ? new Promise(() => undefined) : beat(asked));
  }

  beforeEach(async () => {
    begun = [];
    finished = new Promise((resolve) => (finish = resolve));
    clock = new FakeClock();
    store = new InMemoryTaskStore(clock);
    nodes = [await node(0), await node(1)];
    authorization = `Bearer ${await new JwtService({ secret: SECRET }).signAsync({ sub: 'ann' })}`;
    await clock.advance(LEASE + BEAT);
  });
  afterEach(async () => {
    finish();
    for (const { testing } of nodes) await testing.close();
  });

  it('the guard refuses who has no token', async () => {
    expect((await nodes[0]!.capable().callTool('work')).status).toBe(401);
  });

  it(`completes all ${TASKS} tasks of a dead node on the other one, with default options`, async () => {
    const client = (at: number) => nodes[at]!.testing.client({ headers: { authorization } }).withTasks();
    const ids: string[] = [];
    for (let index = 0; index < TASKS; index++) ids.push((await client(0).callTool('work')).result!.taskId!);
    await pollTask(client(0), ids[0]!, { until: () => begun.length === TASKS });
    const record = await store.get(taskKeyOf({ id: 'ann' }, ids[0]!));
    silence(record!.run!.owner);
    await clock.advance(LEASE + 4 * BEAT);
    finish();
    const ends = [];
    for (const id of ids) ends.push(await pollTask(client(1), id));
    expect(ends.map(({ status, error }) => [status, error])).toEqual(ids.map(() => ['completed', undefined]));
    expect(begun.filter(({ node: at }) => at === 1)).toEqual(ids.map(() => ({ node: 1, token: 'ann' })));
  });
});
