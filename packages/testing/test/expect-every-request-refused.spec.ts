import { McpArg, McpPrompt, McpResource, McpResourceTemplate, McpTool } from '@mocapi/core';
import { Injectable, SetMetadata, UnauthorizedException, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { createMcpTestingApp, expectEveryRequestRefused, type McpTestingApp } from '../src/index.js';

const Public = () => SetMetadata('public', true);
let ran = 0;

@Injectable()
class TokenGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.get<boolean | undefined>('public', context.getHandler())) return true;
    throw new UnauthorizedException();
  }
}

@Injectable()
class Handlers {
  @McpTool({ description: 'x' })
  closed(): string {
    return 'x';
  }

  @McpPrompt()
  greet(@McpArg('name') name: string): string {
    return name;
  }

  @McpResource({ uri: 'thing:fixed' })
  fixed(): string {
    return 'x';
  }

  @McpResourceTemplate({ uriTemplate: 'thing://{x}' })
  template(@McpArg('x') x: string): string {
    return x;
  }
}

@Injectable()
class Open {
  @McpTool({ description: 'x' })
  @Public()
  open(): void {
    ran++;
  }
}

describe('expectEveryRequestRefused', () => {
  let testing: McpTestingApp | undefined;
  afterEach(() => testing?.close());

  it('passes where a global guard refuses everybody', async () => {
    testing = await createMcpTestingApp({ providers: [Handlers, { provide: APP_GUARD, useClass: TokenGuard }] });
    await expectEveryRequestRefused(testing);
  });

  it('names the tool that is open, on both legs, and does not run it', async () => {
    testing = await createMcpTestingApp({ providers: [Handlers, Open, { provide: APP_GUARD, useClass: TokenGuard }] });
    const said = await expectEveryRequestRefused(testing).then(String, String);
    expect(said).toMatch(
      /2 requests were answered instead of refused:\n {2}tools\/call open: HTTP .*\n {2}tools\/call open of an older client: HTTP /,
    );
    expect(ran).toBe(0);
  });

  it('names the methods that a guard of the class leaves open', async () => {
    UseGuards({ canActivate: () => false })(Handlers);
    testing = await createMcpTestingApp({ providers: [Handlers] });
    const said = await expectEveryRequestRefused(testing).then(String, String);
    expect(said).toContain('tools/list: HTTP 200');
    expect(said).not.toContain('tools/call');
  });
});
