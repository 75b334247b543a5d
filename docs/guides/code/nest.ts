import { AsyncLocalStorage } from 'node:async_hooks';
import helmet from '@fastify/helmet';
import { McpEndpoint, McpModule, McpTool } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import {
  Inject,
  Injectable,
  Module,
  Scope,
  VersioningType,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type NestMiddleware,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Observable } from 'rxjs';

interface Incoming {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

// #region bootstrap
export async function configure(app: NestFastifyApplication): Promise<void> {
  app.setGlobalPrefix('api', { exclude: ['health'] });
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  app.enableCors({ origin: ['https://inspector.example'] });
  await app.register(helmet as never);
}
// #endregion bootstrap

// #region scopes
@Injectable({ scope: Scope.REQUEST })
export class CurrentUser {
  readonly name: string;

  constructor(@Inject(REQUEST) request: Incoming) {
    this.name = request.headers['x-user'] ?? 'nobody';
  }
}

@Injectable()
export class GreetingTools {
  constructor(@Inject(CurrentUser) private readonly user: CurrentUser) {}

  @McpTool({ description: 'Greets the caller' })
  greet(): string {
    return `Hello, ${this.user.name}`;
  }
}
// #endregion scopes

// #region async-context
export const requestContext = new AsyncLocalStorage<{ readonly user: string }>();

/** Gives every request a context of its own, as `nestjs-cls` does. */
@Injectable()
export class ContextMiddleware implements NestMiddleware {
  use(request: Incoming, _response: unknown, next: () => void): void {
    requestContext.run({ user: request.headers['x-user'] ?? 'nobody' }, next);
  }
}

/** Gives every execution a context of its own, also when a task continues without a request. */
@Injectable()
export class ContextInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { user } = context.switchToHttp().getRequest<{ user?: { id: string } }>();
    return new Observable((subscriber) => requestContext.run({ user: user?.id ?? 'nobody' }, () => next.handle().subscribe(subscriber)));
  }
}
// #endregion async-context

// #region endpoints
@Injectable()
export class ShopTools {
  @McpTool({ description: 'Finds an article' })
  find(): string {
    return 'A lamp';
  }
}

@Injectable()
export class AdminTools {
  @McpTool({ description: 'Rebuilds the index' })
  @McpTask()
  reindex(): string {
    return 'Rebuilt';
  }
}

@Injectable()
@McpEndpoint('root', 'admin')
export class StatusTools {
  @McpTool({ description: 'Says how the shop is' })
  status(): string {
    return 'Open';
  }
}

@Module({
  imports: [
    McpModule.forRoot({ name: 'shop', version: '1.0.0' }),
    McpModule.forRoot({
      endpoint: 'admin',
      name: 'shop-admin',
      version: '1.0.0',
      path: '/admin/mcp',
      instructions: 'Every call is logged',
    }),
    McpModule.forFeature({ endpoint: 'admin', providers: [AdminTools] }),
    McpTasksModule.forRoot({ endpoint: 'admin' }),
  ],
  providers: [ShopTools, StatusTools],
})
export class ShopModule {}
// #endregion endpoints
