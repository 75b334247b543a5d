import { ForbiddenException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';
import type { McpErrorTranslator } from '../../errors/error-translation.js';
import type { EndpointHandle } from '../../seams/endpoint-handle.js';
import type { McpVisibility } from './mcp-visibility.js';
import type { CallerRates } from '../../envelope/caller-rates.js';
import { AnonymousPrincipalSource, type McpPrincipal, type McpPrincipalSource } from '../../envelope/principal.js';
import { isThenable, type MaybePromise } from '../../protocol/maybe-promise.js';

/** Rules of an endpoint that apply to every handler; settled at boot. */
export interface EndpointRules {
  /** The endpoint's own guards, in their order. */
  readonly guards: readonly CanActivate[];
  /** The guards that judge who sees any handler: the application's global ones and the endpoint's. */
  readonly hiding: readonly McpVisibility[];
  readonly translators: readonly McpErrorTranslator[];
}

/** The way into the endpoint behind the app's global guards: its own guards, then who is calling. The same for every method. */
export class EndpointEntrance {
  /** Whether every caller is anonymous and none is counted. */
  private readonly isOpen: boolean;

  constructor(
    private readonly source: McpPrincipalSource,
    private readonly rates: CallerRates,
    private readonly endpoint: EndpointHandle<EndpointRules>,
  ) {
    this.isOpen = source instanceof AnonymousPrincipalSource && !rates.countsAnonymous;
  }

  /** Whether it has guards of its own, which want to see a context. */
  get hasGuards(): boolean {
    return this.endpoint.current.guards.length > 0;
  }

  /**
   * @param asked receives each guard before it runs
   * @throws what a guard throws, or ForbiddenException if one denies
   */
  async runGuards(context: ExecutionContext, asked: (guard: CanActivate) => void): Promise<void> {
    for (const guard of this.endpoint.current.guards) {
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
    if (this.isOpen) return undefined;
    const principal = this.source.resolve(request);
    return isThenable(principal) ? principal.then((settled) => this.counted(request, settled)) : this.counted(request, principal);
  }

  private counted(request: object, principal: unknown): McpPrincipal | undefined {
    if (principal === undefined || isPrincipal(principal)) {
      this.rates.count(request, principal);
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
