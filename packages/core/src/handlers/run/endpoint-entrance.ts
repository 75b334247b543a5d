import { ForbiddenException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';
import type { CallerRates } from '../../envelope/caller-rates.js';
import { type McpPrincipal, AnonymousPrincipalSource, type McpPrincipalSource } from '../../envelope/principal.js';
import { isThenable, type MaybePromise } from '../../protocol/maybe-promise.js';

/** The way into the endpoint behind the app's global guards: its own guards, then who is calling. The same for every method. */
export class EndpointEntrance {
  /** Whether it has guards of its own, which want to see a context. */
  hasGuards = false;
  private guards: readonly CanActivate[] = [];
  private rates: CallerRates | undefined;

  constructor(private readonly source: McpPrincipalSource) {}

  /** Sets the endpoint's guards, at boot, when every provider they may be has been made. */
  guardBy(guards: readonly CanActivate[]): void {
    this.guards = guards;
    this.hasGuards = guards.length > 0;
  }

  /** Sets how often one caller may come, at boot. */
  limitBy(rates: CallerRates): void {
    this.rates = rates;
  }

  /** Whether the deployment says who is calling. */
  get knowsCallers(): boolean {
    return !(this.source instanceof AnonymousPrincipalSource);
  }

  /**
   * @param asked receives each guard before it runs
   * @throws what a guard throws, or ForbiddenException if one denies
   */
  async runGuards(context: ExecutionContext, asked: (guard: CanActivate) => void): Promise<void> {
    for (const guard of this.guards) {
      asked(guard);
      const answer = await guard.canActivate(context);
      const allowed = isObservable(answer) ? await lastValueFrom(answer) : answer;
      if (!allowed) throw new ForbiddenException();
    }
  }

  /**
   * Identifies the sender of the request; synchronously if the principal source is synchronous.
   * @throws what the principal source throws; TypeError if it returns an invalid principal; McpError with HTTP status
   * 429 if the caller sends too many requests
   */
  principal(request: object): MaybePromise<McpPrincipal | undefined> {
    const principal = this.source.resolve(request);
    return isThenable(principal) ? principal.then((settled) => this.counted(request, settled)) : this.counted(request, principal);
  }

  private counted(request: object, principal: unknown): McpPrincipal | undefined {
    if (principal === undefined || isPrincipal(principal)) {
      this.rates?.count(request, principal);
      return principal;
    }
    throw new TypeError(
      'McpPrincipalSource must return undefined for an anonymous caller, or an object whose id is a non-empty, well-formed string',
    );
  }
}

// An empty text, 0, false or null is a look-up that failed: whoever it was asked about must not become an anonymous caller by it.
function isPrincipal(value: unknown): value is McpPrincipal {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' && id !== '' && id.isWellFormed();
}
