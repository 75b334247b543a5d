import {
  McpArg,
  McpArgs,
  McpComplete,
  McpError,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  type McpCompletion,
  type McpCompletionContext,
} from '@mocapi/core';
import {
  ConflictException,
  Inject,
  Injectable,
  Scope,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { z } from 'zod';
import { SurfaceApp } from './surface-app.js';

/** Lets Ann in, and counts how often it was asked. */
@Injectable()
class AnnOnly implements CanActivate {
  asked = 0;

  canActivate(context: ExecutionContext): boolean {
    this.asked += 1;
    return context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers['x-user'] === 'ann';
  }
}

const Order = z.object({
  size: z.enum(['small', 'medium', 'large']),
  kind: z.literal('tea'),
  hot: z.boolean(),
  grade: z.union([z.literal(1), z.literal(2), z.literal(10)]),
  note: z.string(),
});

const Journey = z.object({ country: z.string(), city: z.string(), how: z.string(), free: z.string() });

@Injectable()
class Completed {
  bodies = 0;

  @McpPrompt({ description: 'Listed values' })
  order(@McpArgs({ schema: Order }) _order: z.output<typeof Order>): string {
    this.bodies += 1;
    return '';
  }

  @McpPrompt({ description: 'Completed by methods' })
  travel(@McpArgs({ schema: Journey }) _journey: object): void {}

  @McpComplete({ prompt: 'travel', argument: 'city' })
  cities(value: string, args: Record<string, string>, { principal, signal }: McpCompletionContext): string[] {
    return [`${args['country']}/${value}/${principal?.id}/${signal.aborted}`];
  }

  @McpComplete({ prompt: 'travel', argument: 'country' })
  async countries(value: string): Promise<McpCompletion> {
    return { values: [`${value}!`], total: 195 };
  }

  @McpComplete({ prompt: 'travel', argument: 'how' })
  failing(value: string): string[] {
    if (value === 'http') throw new ConflictException('Try later');
    if (value === 'mcp') throw new McpError(4711, 'Own');
    throw new Error('a secret');
  }

  @McpPrompt({ description: 'For Ann' })
  @UseGuards(AnnOnly)
  guarded(@McpArg('x', { schema: { enum: ['one', 'two'] } }) _x: string): void {}

  @McpResource({ uri: 'app://fixed' })
  fixed(): string {
    return '';
  }

  @McpResourceTemplate({ uriTemplate: 'app://${PART:parts}/{id}' })
  part(@McpArg('id') _id: string): void {}
}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  constructor(@Inject(REQUEST) private readonly request: { headers: Record<string, string> }) {}

  @McpComplete({ template: 'app://${PART:parts}/{id}', argument: 'id' })
  ids(value: string): string[] {
    return [`${value} for ${this.request.headers['x-user']}`];
  }
}

let app: SurfaceApp;
beforeAll(async () => {
  app = await SurfaceApp.start({ providers: [Completed, PerRequest, AnnOnly] });
});
afterAll(() => app.close());

const values = async (owner: string, argument: { name: string; value: string }) =>
  (await app.complete(owner, argument)).result?.completion.values;

describe('completion/complete from a schema', () => {
  it.each([
    ['size', '', ['small', 'medium', 'large']],
    ['size', 'M', ['medium', 'small']],
    ['size', 'x', []],
    ['kind', 'te', ['tea']],
    ['hot', '', ['true', 'false']],
    ['grade', '1', ['1', '10']],
    ['note', '', []],
    ['unknown', '', []],
    ['__proto__', '', []],
  ])('gives what %s lists for "%s", what begins with it first', async (name, value, expected) => {
    expect(await values('order', { name, value })).toEqual(expected);
  });

  it('runs no body', async () => {
    await values('order', { name: 'size', value: '' });
    expect(app.testing.app.get(Completed).bodies).toBe(0);
  });
});

describe('completion/complete by a method', () => {
  it('hands it the value, the other arguments, the caller and a signal', async () => {
    const { result } = await app.complete('travel', { name: 'city', value: 'Ham' }, { user: 'ann', known: { country: 'de' } });
    expect(result).toMatchObject({ resultType: 'complete', completion: { values: ['de/Ham/ann/false'], total: 1, hasMore: false } });
    expect(result).not.toHaveProperty('ttlMs');
  });

  it('tells the total that it knows', async () => {
    expect((await app.complete('travel', { name: 'country', value: 'a' })).result!.completion).toEqual({
      values: ['a!'],
      total: 195,
      hasMore: true,
    });
  });

  it('has request-scoped hosts, and completes templates', async () => {
    const { result } = await app.complete('app://parts/{id}', { name: 'id', value: '1' }, { user: 'bob' });
    expect(result!.completion.values).toEqual(['1 for bob']);
  });

  it.each([
    ['http', -32603, 'Try later'],
    ['mcp', 4711, 'Own'],
    ['other', -32603, 'Internal error'],
  ])('tells a failure as a call would: %s', async (value, code, message) => {
    const { error, raw } = await app.complete('travel', { name: 'how', value });
    expect(error).toMatchObject({ code, message });
    expect(raw).not.toContain('secret');
  });
});

describe('completion/complete refuses', () => {
  it.each([
    ['an unknown prompt', 'nobody', 'Unknown prompt: nobody'],
    ['an unknown template', 'app://nowhere/{id}', 'Unknown resource: app://nowhere/{id}'],
  ])('%s with -32602', async (_what, owner, message) => {
    expect((await app.complete(owner, { name: 'x', value: '' })).error).toMatchObject({ code: -32602, message });
  });

  it.each([
    [{}],
    [{ ref: { type: 'ref/prompt', name: 'order' } }],
    [{ ref: { type: 'ref/prompt' }, argument: { name: 'a', value: '' } }],
    [{ ref: { type: 'ref/other', name: 'order' }, argument: { name: 'a', value: '' } }],
    [{ ref: { type: 'ref/prompt', name: 'order' }, argument: { name: 'a', value: 1 } }],
    [{ ref: { type: 'ref/prompt', name: 'order' }, argument: { name: 'a', value: '' }, context: 'x' }],
    [{ ref: { type: 'ref/prompt', name: 'order' }, argument: { name: 'a', value: '' }, context: { arguments: { b: 1 } } }],
  ])('params of another form with -32602: %j', async (params) => {
    expect((await app.request('completion/complete', params as never)).error?.code).toBe(-32602);
  });

  it('has nothing for a resource without variables', async () => {
    expect(await values('app://fixed', { name: 'x', value: '' })).toEqual([]);
  });
});

describe('the guards of the owner guard its completions', () => {
  const argument = { name: 'x', value: '' };

  it('and deny as they deny a call', async () => {
    const denied = await app.complete('guarded', argument, { user: 'bob' });
    expect(denied.error).toEqual({ code: 403, message: 'Forbidden' });
    expect(denied.error).toEqual((await app.prompt('guarded', { x: 'one' }, 'bob')).error);
  });

  it('once each', async () => {
    const guard = app.testing.app.get(AnnOnly);
    guard.asked = 0;
    expect((await app.complete('guarded', argument, { user: 'ann' })).result!.completion.values).toEqual(['one', 'two']);
    expect(guard.asked).toBe(1);
  });

  it('the global guards included, which refuse as at the door', async () => {
    let asked = 0;
    const door: CanActivate = {
      canActivate: (context) => {
        asked += 1;
        if (!context.switchToHttp().getRequest().headers['x-user']) throw new UnauthorizedException();
        return true;
      },
    };
    const closed = await SurfaceApp.start({ providers: [Completed, PerRequest, AnnOnly], configure: (nest) => nest.useGlobalGuards(door) });
    expect((await closed.complete('order', { name: 'size', value: '' })).status).toBe(401);
    asked = 0;
    expect((await closed.complete('order', { name: 'size', value: '' }, { user: 'bob' })).result!.completion.total).toBe(3);
    expect(asked).toBe(1);
    await closed.close();
  });
});

describe('the capability', () => {
  it('is advertised where something completes', async () => {
    expect((await app.testing.client().discover()).result!.capabilities.completions).toEqual({});
  });

  it('is neither advertised nor answered where nothing does', async () => {
    class Plain {
      @McpPrompt() free(@McpArg('x') _x: string): void {}
    }
    const plain = await SurfaceApp.start({ providers: [Plain] });
    expect((await plain.testing.client().discover()).result!.capabilities.completions).toBeUndefined();
    expect(await plain.complete('free', { name: 'x', value: '' })).toMatchObject({ status: 404, error: { code: -32601 } });
    await plain.close();
  });
});
