import { ForbiddenException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';
import type { McpPrincipal } from '../envelope/principal.js';
import type { McpPrincipalSource } from '../envelope/principal-source.js';

/** The way into the endpoint behind the app's global guards: its own guards, then who is calling. The same for every method. */
export class EndpointEntrance {
  private guards: readonly CanActivate[] = [];

  constructor(private readonly source: McpPrincipalSource) {}

  /** Sets the endpoint's guards, at boot, when every provider they may be has been made. */
  guardBy(guards: readonly CanActivate[]): void {
    this.guards = guards;
  }

  /** @throws what a guard throws, or ForbiddenException when one says no */
  async runGuards(context: ExecutionContext): Promise<void> {
    for (const guard of this.guards) {
      const answer = await guard.canActivate(context);
      const allowed = isObservable(answer) ? await lastValueFrom(answer) : answer;
      if (!allowed) throw new ForbiddenException();
    }
  }

  /** @throws what the principal source throws; Error when the principal's id cannot be told apart from others */
  async principal(context: ExecutionContext): Promise<McpPrincipal | undefined> {
    const principal = await this.source.resolve(context.switchToHttp().getRequest<object>());
    if (principal && (principal.id === '' || !principal.id.isWellFormed())) {
      throw new Error('McpPrincipalSource returned an id that is empty or no well-formed text');
    }
    return principal;
  }
}
