import { McpArg, McpContext, McpPrompt, McpResource, McpResourceTemplate, McpTool, type McpHandlerContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import {
  applyDecorators,
  Catch,
  Inject,
  Injectable,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type Provider,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, REQUEST } from '@nestjs/core';
import { tap } from 'rxjs';
import { z } from 'zod';

/** What stands around a handler, one row of the matrix each. */
export type Aspect = 'guard' | 'interceptor' | 'pipe' | 'filter' | 'request scope';

/** What happened, in order; what a body does belongs to no aspect. */
export const events: { readonly aspect: Aspect | 'body'; readonly text: string }[] = [];

/** What the bodies do; each test says so. */
export const script = {
  asks: false,
  fails: false,
  /** The parameter whose pipes are watched: a resource has no argument, its context alone. */
  pipesOf: 'argument' as 'argument' | 'context',
};

class Boom extends Error {}

type Level = 'app' | 'class' | 'method' | 'parameter';

const methodOf = (request: unknown): string => (request as { body: { method: string } }).body.method;

/** What guard and handler of one execution share, and another execution has another of. */
@Injectable({ scope: Scope.REQUEST })
class PerExecution {
  guarded = false;

  constructor(@Inject(REQUEST) request: object) {
    events.push({ aspect: 'request scope', text: `made for ${methodOf(request)}` });
  }
}

function guardAt(level: Level) {
  @Injectable()
  class LevelGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const method = methodOf(context.switchToHttp().getRequest());
      // Polls are as many as it takes; what else has no handler is a message that makes a task go on.
      if (context.getClass() === Handlers) events.push({ aspect: 'guard', text: `${level} guard` });
      else if (method !== 'tasks/get') events.push({ aspect: 'guard', text: `${level} guard of ${method}` });
      return true;
    }
  }
  return LevelGuard;
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard implements CanActivate {
  constructor(@Inject(PerExecution) private readonly shared: PerExecution) {}

  canActivate(): boolean {
    this.shared.guarded = true;
    return true;
  }
}

function interceptorAt(level: Level) {
  @Injectable()
  class LevelInterceptor {
    intercept(_context: ExecutionContext, next: CallHandler) {
      const note = (text: string) => (): void => void events.push({ aspect: 'interceptor', text: `${level} ${text}` });
      note('before')();
      // A suspension comes out as an error, so that transactions roll back.
      return next.handle().pipe(tap({ next: note('after'), error: note('undone') }));
    }
  }
  return LevelInterceptor;
}

function pipeAt(level: Level) {
  @Injectable()
  class LevelPipe {
    transform(value: unknown): unknown {
      if ((typeof value === 'string') === (script.pipesOf === 'argument')) events.push({ aspect: 'pipe', text: `${level} pipe` });
      return value;
    }
  }
  return LevelPipe;
}

function filterAt(level: Level) {
  @Catch(Boom)
  class LevelFilter {
    catch(): string {
      events.push({ aspect: 'filter', text: `${level} filter` });
      return 'filtered';
    }
  }
  return LevelFilter;
}

/** An enhancer of each kind at one level. */
function at(level: Level) {
  return { guard: guardAt(level), interceptor: interceptorAt(level), pipe: pipeAt(level), filter: filterAt(level) };
}

const [app, ofClass, ofMethod] = [at('app'), at('class'), at('method')];
const ParameterPipe = pipeAt('parameter');

const enhanced = ({ guard, interceptor, pipe, filter }: ReturnType<typeof at>): ClassDecorator & MethodDecorator =>
  applyDecorators(UseGuards(guard), UseInterceptors(interceptor), UsePipes(pipe), UseFilters(filter));

/** One handler of each kind, all alike, with every enhancer at every level. */
@Injectable({ scope: Scope.REQUEST })
@UseGuards(ScopedGuard)
@enhanced(ofClass)
export class Handlers {
  constructor(@Inject(PerExecution) private readonly shared: PerExecution) {}

  @McpTool({ description: 'Does what the test says' })
  @McpTask()
  @enhanced(ofMethod)
  thing(@McpArg('x', { pipes: [ParameterPipe] }) _x: string, @McpContext() ctx: McpHandlerContext): Promise<string> {
    return this.run(ctx);
  }

  @McpPrompt({ name: 'thing' })
  @enhanced(ofMethod)
  prompt(@McpArg('x', { pipes: [ParameterPipe] }) _x: string, @McpContext() ctx: McpHandlerContext): Promise<string> {
    return this.run(ctx);
  }

  @McpResource({ uri: 'thing:fixed' })
  @enhanced(ofMethod)
  resource(@McpContext() ctx: McpHandlerContext): Promise<string> {
    return this.run(ctx);
  }

  @McpResourceTemplate({ uriTemplate: 'thing://{x}' })
  @enhanced(ofMethod)
  template(@McpArg('x', { pipes: [ParameterPipe] }) _x: string, @McpContext() ctx: McpHandlerContext): Promise<string> {
    return this.run(ctx);
  }

  private async run(ctx: McpHandlerContext): Promise<string> {
    const { guarded } = this.shared;
    events.push({ aspect: 'request scope', text: guarded ? "its guard's own" : 'another than its guard has' });
    events.push({ aspect: 'body', text: 'body' });
    if (script.asks) await ctx.elicit('q', { message: '?', schema: z.object({ a: z.string() }) });
    if (script.fails) throw new Boom();
    return 'done';
  }
}

/** The handlers and what is global. */
export const providers: Provider[] = [
  Handlers,
  PerExecution,
  { provide: APP_GUARD, useClass: app.guard },
  { provide: APP_INTERCEPTOR, useClass: app.interceptor },
  { provide: APP_PIPE, useClass: app.pipe },
  { provide: APP_FILTER, useClass: app.filter },
];
