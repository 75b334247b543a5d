import { McpTool } from '@mocapi/core';
import { createMcpTestingApp } from '@mocapi/testing';
import { Injectable, Scope, type CallHandler, type NestInterceptor } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { of, type Observable } from 'rxjs';

class Tools {
  @McpTool({ description: 'Does' })
  act(): string {
    return 'done';
  }
}

describe('what stands in front of a tool', () => {
  it('is never skipped in silence: a request-scoped APP_INTERCEPTOR and a tool that a factory makes', async () => {
    let runs = 0;
    @Injectable({ scope: Scope.REQUEST })
    class Audit implements NestInterceptor {
      intercept(_: unknown, next: CallHandler): Observable<unknown> {
        runs += 1;
        return next.handle();
      }
    }
    const audit = { provide: APP_INTERCEPTOR, useClass: Audit, scope: Scope.REQUEST };
    const boot = createMcpTestingApp({ providers: [{ provide: 'TOOLS', useFactory: () => new Tools() }, audit] });
    const testing = await boot.catch(() => undefined);

    await testing?.client().callTool('act');
    await testing?.close();

    // Either the boot says so, or the interceptor has run.
    expect(testing === undefined || runs === 1).toBe(true);
  });

  it('denies by the last word of an Observable, at the endpoint as in Nest', async () => {
    const guard = { canActivate: () => of(true, false) };
    const testing = await createMcpTestingApp({ options: { guards: [guard] }, providers: [Tools] });
    const { error } = await testing.client().callTool('act');
    await testing.close();

    expect(error?.message).toBe('Forbidden');
  });
});
