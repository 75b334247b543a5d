import 'reflect-metadata';
import {
  Injectable,
  Module,
  UseGuards,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { McpArgs, McpModule, McpTool } from '@mocapi/core';
import type { Observable } from 'rxjs';
import type { z } from 'zod';
import { ECHO_ARGS } from './echo.tools.js';
import { listenNest } from './listen.js';

@Injectable()
class AllowGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.getClass() === GuardedTools;
  }
}

@Injectable()
class CountingInterceptor implements NestInterceptor {
  calls = 0;

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.calls += 1;
    return next.handle();
  }
}

@UseGuards(AllowGuard)
@Injectable()
class GuardedTools {
  @McpTool({ name: 'echo_zod', description: 'Echoes a text' })
  zod(@McpArgs({ schema: ECHO_ARGS }) { text }: z.output<typeof ECHO_ARGS>): string {
    return text;
  }
}

// The same tool behind a guard of its class and a global interceptor.
@Module({
  imports: [McpModule.forRoot({ name: 'bench', version: '1.0.0' })],
  providers: [AllowGuard, GuardedTools, { provide: APP_INTERCEPTOR, useClass: CountingInterceptor }],
})
class GuardedModule {}

await listenNest(GuardedModule);
