import { Controller, Get, Injectable, Module, Post, UseGuards } from '@nestjs/common';
import { McpModule, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { JwtService } from '@nestjs/jwt';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import * as passportJwt from 'passport-jwt';
import { headersOf, request, send, type RawReply } from './raw-client.js';

type Extractor = (request: unknown) => string | null;
const { ExtractJwt, Strategy } = passportJwt as unknown as {
  ExtractJwt: Record<'fromUrlQueryParameter' | 'fromBodyField' | 'fromHeader', (name: string) => Extractor> & {
    fromExtractors: (all: Extractor[]) => Extractor;
    fromAuthHeaderAsBearerToken: () => Extractor;
  };
  Strategy: new (options: { jwtFromRequest: Extractor; secretOrKey: string }) => { authenticate(request: unknown): void };
};

const secret = 'a secret of the tests';
const token = new JwtService({ secret }).sign({ sub: 'ali' });

@Injectable()
class AnywhereStrategy extends PassportStrategy(Strategy) {
  constructor() {
    const { fromExtractors, fromAuthHeaderAsBearerToken, fromUrlQueryParameter, fromBodyField } = ExtractJwt;
    const jwtFromRequest = fromExtractors([
      fromAuthHeaderAsBearerToken(),
      fromUrlQueryParameter('access_token'),
      fromBodyField('access_token'),
    ]);
    super({ jwtFromRequest, secretOrKey: secret });
  }

  validate({ sub }: { sub: string }): object {
    return { id: sub };
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'Guarded' })
  @UseGuards(AuthGuard('jwt'))
  guarded(): string {
    return 'in';
  }
}

@Controller('rest')
@UseGuards(AuthGuard('jwt'))
class Rest {
  @Get()
  get(): string {
    return 'in';
  }

  @Post()
  post(): string {
    return 'in';
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'tokens', version: '1.0.0' }), PassportModule],
  controllers: [Rest],
  providers: [Tools, AnywhereStrategy],
})
class Root {}

describe('S-12: a token outside of the Authorization header reaches no login strategy', () => {
  let app: McpTestingApp;
  beforeAll(async () => {
    app = await createMcpTestingApp({ module: Root });
  });
  afterAll(() => app.close());

  const guarded = (query: string, { headers = {}, beside = {} }: { headers?: object; beside?: object } = {}): Promise<RawReply> =>
    send(`${app.url}${query}`, {
      headers: { ...headersOf('tools/call', 'guarded'), ...headers },
      body: { ...request('tools/call', { name: 'guarded' }), ...beside },
    });
  const older = (query: string, beside: object = {}): Promise<RawReply> =>
    send(`${app.url}${query}`, {
      headers: { 'mcp-protocol-version': '2025-11-25' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'guarded', arguments: {} }, ...beside },
    });
  const isIn = ({ json }: RawReply): boolean => json?.result?.content?.[0]?.text === 'in';

  it('the strategy reads all three places on a route, and the header on the endpoint', async () => {
    const rest = new URL('/rest', app.url).href;
    expect((await send(`${rest}?access_token=${token}`, { method: 'GET' })).text).toBe('in');
    expect((await send(rest, { body: { access_token: token } })).text).toBe('in');
    expect(isIn(await guarded('', { headers: { authorization: `Bearer ${token}` } }))).toBe(true);
  });

  it.each([`?access_token=${token}`, `?a=1&access_token=${token}&b=2`, `?access%5Ftoken=${token}`])('in the query: %#', async (query) => {
    expect([isIn(await guarded(query)), isIn(await older(query))]).toEqual([false, false]);
  });

  it('in a member of the body beside the message', async () => {
    const beside = { access_token: token };
    expect([isIn(await guarded('', { beside })), isIn(await older('', beside))]).toEqual([false, false]);
  });
});
