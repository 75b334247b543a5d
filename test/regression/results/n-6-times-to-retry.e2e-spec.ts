import { McpArg, McpPrompt, McpTool } from '@mocapi/core';
import { McpLimitError } from '@mocapi/core/extension';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { HttpException, Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { call } from '../guards/wire.js';

const TIMES: Record<string, number> = { nan: Number.NaN, never: Infinity, over: -5, none: 0, part: 1.5, long: 1e300, whole: 2500 };
const SENT: Record<string, number> = {
  ...TIMES,
  nan: 1,
  over: 1,
  none: 1,
  part: 2,
  never: Number.MAX_SAFE_INTEGER,
  long: Number.MAX_SAFE_INTEGER,
};

let refused = 0;

/** Refuses with the `Retry-After` that a client names. */
class Throttles implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { headers } = http.getRequest<{ headers: Record<string, string> }>();
    http.getResponse<{ header(name: string, value: string): void }>().header('Retry-After', headers['x-after'] ?? '1');
    refused += 1;
    throw new HttpException('slow down', 429);
  }
}

@Injectable()
class Handlers {
  @McpTool({ description: 'x' })
  limited(@McpArg('time') time: string): never {
    throw new McpLimitError('slow down', TIMES[time]!);
  }

  @McpPrompt()
  limitedToo(@McpArg('time') time: string): never {
    throw new McpLimitError('slow down', TIMES[time]!);
  }

  @McpTool({ description: 'x' })
  @UseGuards(new Throttles())
  throttled(): string {
    return 'entered';
  }
}

describe('N-6: a client is told a time to retry that it can wait for', () => {
  let testing: McpTestingApp;
  beforeAll(async () => {
    testing = await createMcpTestingApp({ providers: [Handlers] });
  });
  afterAll(() => testing.close());

  it.each(Object.keys(TIMES))('by a limit whose time is "%s"', async (time) => {
    const answers = [
      await call({ url: testing.url }, 'tools/call', { name: 'limited', arguments: { time } }),
      await call({ url: testing.url }, 'prompts/get', { name: 'limitedToo', arguments: { time } }),
    ];
    for (const { status, headers, message } of answers) {
      expect([status, message.error.data.retryAfterMs]).toEqual([429, SENT[time]]);
      expect(headers.get('retry-after')).toBe(String(Math.ceil(SENT[time]! / 1000)));
    }
  });

  it('by a guard whose Retry-After has a fraction', async () => {
    const target = { url: testing.url, headers: { 'x-after': '1.25' } };
    const { message } = await call(target, 'tools/call', { name: 'throttled', arguments: {} });
    expect([refused, message.error.data.retryAfterMs]).toEqual([1, 1250]);
  });

  it('and a rate without a burst is a fault that says what to write', async () => {
    const options = { name: 'test', version: '1.0.0', rateLimit: { calls: { perSecond: 1 } as never } };
    await expect(createMcpTestingApp({ options })).rejects.toThrow(/rateLimit\.calls\.burst.*\n.*Write how many may come at once/);
  });
});
