import { McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable, UseGuards, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { call, olderCall, type WireAnswer } from './wire.js';

class Never implements CanActivate {
  canActivate(): boolean {
    throw new UnauthorizedException('the token has expired');
  }
}

/** Answers the response itself and never says anything, as a redirecting strategy of Passport does. */
class Redirecting implements CanActivate {
  canActivate(context: ExecutionContext): Promise<boolean> {
    const response = context.switchToHttp().getResponse<{ statusCode: number; setHeader(n: string, v: string): void; end(): void }>();
    response.statusCode = 401;
    response.setHeader('location', '/login');
    response.end();
    return new Promise(() => undefined);
  }
}

@Injectable()
class Closed {
  @McpTool({ description: 'x' })
  @UseGuards(new Never())
  closed(): string {
    return 'x';
  }

  @McpTool({ description: 'x' })
  @UseGuards(new Redirecting())
  redirected(): string {
    return 'x';
  }
}

const TOKEN = 'Bearer topsecret';
const denials = (testing: McpTestingApp) => testing.logs.filter(({ context, level }) => context === 'McpGuards' && level === 'debug');
const inTime = (answer: Promise<WireAnswer>) =>
  Promise.race([answer, new Promise<undefined>((resolve) => setTimeout(resolve, 3_000, undefined).unref())]);

describe('A-12: each denial is one debug line with guard, handler and reason', () => {
  let testing: McpTestingApp;
  beforeAll(async () => (testing = await createMcpTestingApp({ providers: [Closed] })));
  afterAll(() => testing.close());

  it.each([
    ['2026-07-28', call],
    ['an older client', olderCall],
  ])('on the leg of %s, without token and arguments', async (_leg, send) => {
    const before = denials(testing).length;
    const target = { url: testing.url, headers: { authorization: TOKEN } };
    const { message } = await send(target, 'tools/call', { name: 'closed', arguments: { a: 'private' } });
    expect(message.error.code).toBe(401);
    const lines = denials(testing).slice(before);
    expect(lines.map((line) => line.message)).toEqual(['Never refused Closed.closed: 401 the token has expired']);
    expect(JSON.stringify(testing.logs)).not.toMatch(/topsecret|private/);
  });

  it('also of a guard that answers by itself and never says anything', async () => {
    const answer = await inTime(call(testing, 'tools/call', { name: 'redirected', arguments: {} }));
    expect(answer?.message.error).toMatchObject({ code: 401, message: 'Unauthorized' });
    expect(denials(testing).at(-1)?.message).toBe('Redirecting refused Closed.redirected: 401 It answered the HTTP response itself');
  });
});
