import { Injectable, Scope, type CanActivate } from '@nestjs/common';
import { McpDefinitionsError, McpPrincipalSource } from '@mocapi/core';
import { createMcpTestingApp } from '@mocapi/testing';

@Injectable({ scope: Scope.REQUEST })
class ScopedSource extends McpPrincipalSource {
  override resolve(): undefined {
    return undefined;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

describe('a server that Nest would never start', () => {
  it('fails its boot when a part of it is request-scoped', async () => {
    const boot = createMcpTestingApp({
      options: { name: 's', version: '1', providers: [{ provide: McpPrincipalSource, useClass: ScopedSource }] },
    });
    await expect(boot).rejects.toThrow(McpDefinitionsError);
    await expect(boot).rejects.toThrow('request-scoped');
  });

  it('fails its boot when a guard of the endpoint is request-scoped', async () => {
    const boot = createMcpTestingApp({ options: { name: 's', version: '1', guards: [ScopedGuard] } });
    await expect(boot).rejects.toThrow('ScopedGuard is request-scoped');
  });
});
