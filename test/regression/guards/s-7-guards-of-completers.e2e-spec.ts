import { McpArg, McpComplete, McpPrompt, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable, UseFilters, UseGuards, UseInterceptors, UsePipes, ValidationPipe, type CanActivate } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { call } from './wire.js';

const never: CanActivate = { canActivate: () => false };

@Injectable()
class Greeting {
  @McpPrompt()
  greet(@McpArg('name') name: string): string {
    return `Hello ${name}`;
  }
}

@Injectable()
class Names {
  @McpComplete({ prompt: 'greet', argument: 'name' })
  names(): string[] {
    return ['Ada'];
  }
}

const REF = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: '' } };
const guarded = (...decorators: ClassDecorator[]) => {
  class Completing extends Names {}
  decorators.forEach((decorate) => decorate(Completing));
  Injectable()(Completing);
  return Completing;
};
const ignored = { intercept: (_: unknown, next: { handle(): never }) => next.handle() };

describe('S-7: no guard on the class of a completer is left out in silence', () => {
  const started: McpTestingApp[] = [];
  afterAll(() => Promise.all(started.map((testing) => testing.close())));
  const start = async (providers: never[]) => {
    const testing = await createMcpTestingApp({ providers });
    started.push(testing);
    return testing;
  };
  const boot = (...providers: unknown[]) => start(providers as never[]).then(() => 'it started', String);

  it('the boot fails over a guard of the class', async () => {
    expect(await boot(Greeting, guarded(UseGuards(never)))).toMatch(
      /Completing\.names: its class has guards that the prompt "greet" does not have/,
    );
  });

  it('the boot fails over an inherited guard', async () => {
    @Injectable()
    class Inheriting extends guarded(UseGuards(never)) {}
    expect(await boot(Greeting, Inheriting)).toMatch(/Inheriting\.names: its class has guards/);
  });

  it.each([
    ['interceptors', UseInterceptors(ignored)],
    ['pipes', UsePipes(new ValidationPipe())],
    ['filters', UseFilters(new BaseExceptionFilter())],
  ])('the boot fails over %s of the class', async (kind, decorator) => {
    expect(await boot(Greeting, guarded(decorator))).toMatch(new RegExp(`its class has ${kind}, which do not run`));
  });

  it('guards of a class that holds the prompt as well refuse both', async () => {
    @Injectable()
    @UseGuards(never)
    class Both extends Names {
      @McpPrompt()
      greet(@McpArg('name') name: string): string {
        return name;
      }

      @McpTool({ description: 'x' })
      tool(): string {
        return 'x';
      }
    }
    const testing = await start([Both] as never[]);
    const answers = [
      await call(testing, 'tools/call', { name: 'tool', arguments: {} }),
      await call(testing, 'completion/complete', REF),
      await call(testing, 'prompts/get', { name: 'greet', arguments: { name: 'a' } }),
    ];
    expect(answers.map(({ message }) => message.error?.code)).toEqual([403, 403, 403]);
  });

  it('a completer without guards answers', async () => {
    const { message } = await call(await start([Greeting, Names] as never[]), 'completion/complete', REF);
    expect(message.result.completion.values).toEqual(['Ada']);
  });
});
