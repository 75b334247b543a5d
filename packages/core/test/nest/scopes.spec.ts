import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { answerInput, accept, createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Inject, Injectable, Scope, UseGuards, type CanActivate } from '@nestjs/common';
import { ContextIdFactory, REQUEST, type ContextId, type ContextIdStrategy, type HostComponentInfo } from '@nestjs/core';
import { ask } from '../support/questions.js';

interface WithHeaders {
  readonly headers: Readonly<Record<string, string>>;
}

let made: string[];
beforeEach(() => (made = []));

/** One subtree of durable providers for each tenant, as Nest's guide has it. */
class TenantStrategy implements ContextIdStrategy {
  private readonly trees = new Map<string, ContextId>();

  attach(contextId: ContextId, request: WithHeaders) {
    const tenant = request.headers['x-tenant'] ?? 'nobody';
    const tree = this.trees.get(tenant) ?? ContextIdFactory.create();
    this.trees.set(tenant, tree);
    return { resolve: (info: HostComponentInfo) => (info.isTreeDurable ? tree : contextId), payload: { tenant } };
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class TenantPool {
  readonly id: string;

  constructor(@Inject(REQUEST) { tenant }: { tenant: string }) {
    this.id = `${tenant}-${made.length + 1}`;
    made.push(this.id);
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestLog {
  readonly user: string;

  constructor(@Inject(REQUEST) { headers }: WithHeaders) {
    this.user = headers['x-user']!;
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class DurableTools {
  constructor(@Inject(TenantPool) private readonly pool: TenantPool) {}

  @McpTool({ description: 'x' }) pool_id(): string {
    return this.pool.id;
  }
}

@Injectable()
class SharesTheRequest implements CanActivate {
  constructor(@Inject(RequestLog) private readonly log: RequestLog) {}

  canActivate(): boolean {
    made.push(`guarded for ${this.log.user}`);
    return true;
  }
}

@Injectable()
class RequestTools {
  constructor(
    @Inject(RequestLog) private readonly log: RequestLog,
    @Inject(TenantPool) private readonly pool: TenantPool,
  ) {}

  @McpTool({ description: 'x' }) @UseGuards(SharesTheRequest) whose(): string {
    return `${this.log.user} of ${this.pool.id}`;
  }

  @McpTool({ description: 'x' }) async asks(@McpContext() ctx: McpToolContext): Promise<string> {
    const { user } = this.log;
    await ask(ctx, 'q');
    return user;
  }
}

let testing: McpTestingApp;
beforeAll(async () => {
  ContextIdFactory.apply(new TenantStrategy());
  testing = await createMcpTestingApp({ providers: [TenantPool, RequestLog, DurableTools, RequestTools, SharesTheRequest] });
});
afterAll(async () => {
  await testing.close();
  ContextIdFactory.apply(undefined as never);
});

const as = (user: string, tenant: string) => testing.client({ headers: { 'x-user': user, 'x-tenant': tenant } });
const text = async (user: string, tenant: string, tool: string): Promise<string> =>
  (await as(user, tenant).callTool(tool)).result!.content![0]!.text!;

describe('a durable tree', () => {
  it('is made once for each tenant, for tools that are durable themselves', async () => {
    const first = await text('ann', 'red', 'pool_id');
    expect(first).toMatch(/^red-/);
    expect(await text('bob', 'red', 'pool_id')).toBe(first);
    expect(await text('eve', 'blue', 'pool_id')).toMatch(/^blue-/);
    expect(made.filter((id) => id.startsWith('red-'))).toHaveLength(1);
  });

  it('is shared by request-scoped tools of the tenant, which are made for each call', async () => {
    const [ann, bob, eve] = await Promise.all([text('ann', 'red', 'whose'), text('bob', 'red', 'whose'), text('eve', 'green', 'whose')]);
    const poolOf = (answer: string): string => answer.split(' of ')[1]!;
    expect([ann, bob, eve].map((answer) => answer.split(' of ')[0])).toEqual(['ann', 'bob', 'eve']);
    expect(poolOf(ann)).toBe(poolOf(bob));
    expect(poolOf(eve)).toMatch(/^green-/);
  });
});

describe('a request-scoped tool', () => {
  it('shares the request-scoped providers of its guard', async () => {
    await text('ann', 'red', 'whose');
    expect(made.filter((line) => line.startsWith('guarded'))).toEqual(['guarded for ann']);
  });

  it('is made anew for the round that brings the answer, from the request of that round', async () => {
    const asked = await as('ann', 'red').callTool('asks');
    const answered = await answerInput(as('bob', 'red'), asked, { q: accept({ ok: true }) });
    expect(answered.result!.content![0]!.text).toBe('bob');
  });
});
