import { McpArg, McpArgs, McpModule, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import {
  Catch,
  Controller,
  Inject,
  Injectable,
  Module,
  Post,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type ExceptionFilter,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { of } from 'rxjs';

@Injectable()
class Secrets {
  readonly isOpen = false;
}

/** Needs what the application's own module provides, and McpModule does not see. */
@Injectable()
class ClosedGuard implements CanActivate {
  constructor(@Inject(Secrets) private readonly secrets: Secrets) {}

  canActivate(): boolean {
    return this.secrets.isOpen;
  }
}

/** Is provided nowhere. */
@Injectable()
class LooseGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class OpenGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Module({ providers: [OpenGuard], exports: [OpenGuard] })
class Provides {}

@Injectable({ scope: Scope.REQUEST })
class PerRequest extends OpenGuard {}

@Injectable()
class TextPipe implements PipeTransform {
  transform(): string {
    return 'real';
  }
}

@Injectable()
class Intercepts implements NestInterceptor {
  intercept(): ReturnType<NestInterceptor['intercept']> {
    return of('real');
  }
}

@Catch(RangeError)
class Catches implements ExceptionFilter {
  catch(): string {
    return 'real';
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  @UseGuards(LooseGuard)
  guarded(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UseInterceptors(Intercepts)
  intercepted(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  @UsePipes(TextPipe)
  piped(@McpArg('text') text: string): string {
    return text;
  }

  @McpTool({ description: 'x' })
  pipedParam(@McpArg('text', { pipes: [TextPipe] }) text: string): string {
    return text;
  }

  @McpTool({ description: 'x', inputSchema: { type: 'object' } })
  pipedWhole(@McpArgs({ pipes: [TextPipe] }) text: unknown): unknown {
    return text;
  }

  @McpTool({ description: 'x' })
  @UseFilters(Catches)
  filtered(): string {
    throw new Error('not a range error');
  }
}

@Controller()
class ToolAndRoute {
  @McpTool({ description: 'x' })
  @Post('both')
  both(@McpArg('text', { pipes: [TextPipe] }) text?: string): string {
    return `got ${text ?? 'nothing'}`;
  }
}

const pipe = { transform: () => 'replaced' };
const server = { name: 'test', version: '1.0.0' };

/** An application whose module provides the endpoint's guard, which needs a neighbour. */
function moduleOf(endpoint: ReturnType<typeof McpModule.forRoot>): Type {
  @Module({ imports: [endpoint, Provides], providers: [Tools, ClosedGuard, Secrets] })
  class AppModule {}
  return AppModule;
}

async function texts(testing: McpTestingApp, names: readonly string[]): Promise<unknown[]> {
  const client = testing.client();
  return Promise.all(
    names.map(async (name) => {
      const { result, error } = await client.callTool(name, name === 'filtered' ? {} : { text: 'sent' });
      return error?.code ?? result?.content?.[0]?.text;
    }),
  );
}

describe('A-14: what a test overrides is what runs', () => {
  const roots: [string, () => Type][] = [
    ['forRoot({ guards })', () => moduleOf(McpModule.forRoot({ ...server, guards: [ClosedGuard, LooseGuard] }))],
    ['forRootAsync({ guards })', () => moduleOf(McpModule.forRootAsync({ guards: [ClosedGuard, LooseGuard], useFactory: () => server }))],
  ];

  it.each(roots)('overrideGuard reaches %s', async (_title, root) => {
    const testing = await createMcpTestingApp({
      module: root(),
      override: (builder) =>
        builder
          .overrideGuard(ClosedGuard)
          .useValue({ canActivate: () => true })
          .overrideGuard(LooseGuard)
          .useClass(OpenGuard),
    });
    expect(await texts(testing, ['piped'])).toEqual(['real']);
    await testing.close();
  });

  it('overrideGuard by a factory that injects from the imports of forRoot', async () => {
    const testing = await createMcpTestingApp({
      module: moduleOf(McpModule.forRoot({ ...server, guards: [LooseGuard], imports: [Provides] })),
      override: (builder) => builder.overrideGuard(LooseGuard).useFactory({ factory: (guard: OpenGuard) => guard, inject: [OpenGuard] }),
    });
    expect(await texts(testing, ['piped'])).toEqual(['real']);
    await testing.close();
  });

  it('overrideProvider reaches a guard of forRoot that the application provides', async () => {
    const testing = await createMcpTestingApp({
      module: moduleOf(McpModule.forRoot({ ...server, guards: [ClosedGuard] })),
      override: (builder) => builder.overrideProvider(ClosedGuard).useValue({ canActivate: () => true }),
    });
    expect(await texts(testing, ['piped'])).toEqual(['real']);
    await testing.close();
  });

  it.each(roots)('without an override the guards of %s run', async (_title, root) => {
    const testing = await createMcpTestingApp({ module: root() });
    expect(await texts(testing, ['piped'])).toEqual([403]);
    expect(testing.app.get(ClosedGuard, { strict: false })).toBeInstanceOf(ClosedGuard);
    expect(testing.logs.filter(({ level }) => level === 'error')).toEqual([]);
    await testing.close();
  });

  it('a replacement that is made per request is a boot fault', async () => {
    const boot = createMcpTestingApp({
      module: moduleOf(McpModule.forRoot({ ...server, guards: [LooseGuard] })),
      override: (builder) => builder.overrideGuard(LooseGuard).useClass(PerRequest),
    });
    await expect(boot).rejects.toThrow('LooseGuard is request-scoped');
  });

  it('overridePipe, overrideInterceptor and overrideFilter reach methods and parameters', async () => {
    const testing = await createMcpTestingApp({
      options: {},
      providers: [Tools],
      controllers: [ToolAndRoute],
      override: (builder) =>
        builder
          .overridePipe(TextPipe)
          .useValue(pipe)
          .overrideInterceptor(Intercepts)
          .useValue({ intercept: () => of('replaced') })
          .overrideFilter(Catches)
          .useValue({ catch: () => 'replaced' }),
    });
    const names = ['piped', 'pipedParam', 'pipedWhole', 'intercepted', 'filtered', 'both'];
    expect(await texts(testing, names)).toEqual([...Array<string>(5).fill('replaced'), 'got replaced']);
    const route = await fetch(new URL('/both', testing.url), { method: 'POST' });
    expect(await route.text()).toBe('got nothing');
    await testing.close();
  });
});
