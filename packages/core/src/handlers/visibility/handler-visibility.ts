import { Inject, Injectable, Logger } from '@nestjs/common';
import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import type { McpPrincipal } from '../../envelope/principal.js';
import type { MaybePromise } from '../../protocol/maybe-promise.js';
import { describeThrown } from '../../errors/thrown.js';
import type { McpVisibility, McpVisibilityContext } from '../run/mcp-visibility.js';
import { methodOf } from '../../nest/metadata.js';
import { EndpointHandle } from '../../seams/endpoint-handle.js';
import type { EndpointRules } from '../run/endpoint-entrance.js';
import { PreparedHandlers } from '../run/prepared-handler.js';

/**
 * Decides who sees which handler, by the guards that implement `McpVisibility`. Without such a guard everybody sees
 * everything, and no guard runs.
 */
@Injectable()
export class HandlerVisibility {
  private readonly logger = new Logger('McpVisibility');

  constructor(
    @Inject(PreparedHandlers) private readonly prepared: PreparedHandlers,
    @Inject(EndpointHandle) private readonly endpoint: EndpointHandle<EndpointRules>,
  ) {}

  /**
   * The handler if its caller sees it. Where something may be hidden, what may be and what does not exist take the same way: the caller is settled
   * first, so that a refusal to enter is the same for both, and all that follows is as for what does not exist.
   * @param enter passes the endpoint's guards and returns the caller
   */
  find<D extends HandlerDefinition>(handler: D | undefined, enter: () => Promise<McpPrincipal | undefined>): MaybePromise<D | undefined> {
    const isOpen = this.endpoint.current.hiding.length === 0 && !this.prepared.hidesSome;
    if (isOpen || (handler && !this.mayHide(handler))) return handler;
    return enter().then((principal) => (handler && this.canSee(handler, principal) ? handler : undefined));
  }

  /** Whether some handler of the server may be hidden from somebody. */
  hidesSome(): boolean {
    return this.endpoint.current.hiding.length > 0 || this.prepared.hidesSome;
  }

  /** Whether this handler may be hidden from somebody. */
  mayHide(handler: HandlerDefinition): boolean {
    return this.guardsOf(handler).length > 0;
  }

  /**
   * Whether the caller sees the handler: all its visibility guards must agree. A guard that fails hides the handler,
   * and nobody sees a handler that was removed meanwhile.
   */
  canSee(handler: HandlerDefinition, principal: McpPrincipal | undefined): boolean {
    if (!this.prepared.has(handler)) return false;
    const guards = this.guardsOf(handler);
    if (guards.length === 0) return true;
    const ref = this.prepared.get(handler)?.hiding?.ref;
    const context: McpVisibilityContext = {
      principal,
      handler,
      getHandler: () => (ref ? methodOf(ref) : undeclared),
      getClass: () => ref?.classRef ?? Undeclared,
    };
    return guards.every((guard) => this.ask(guard, context));
  }

  private ask(guard: McpVisibility, context: McpVisibilityContext): boolean {
    try {
      // A promise is no answer, and must not show what it would hide.
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-boolean-literal-compare
      return guard.canSee(context) === true;
    } catch (error) {
      this.logger.error(`canSee() failed, so ${context.handler.where} is hidden`, describeThrown(error));
      return false;
    }
  }

  private guardsOf(handler: HandlerDefinition): readonly McpVisibility[] {
    const own = this.prepared.get(handler)?.hiding?.guards ?? [];
    const { hiding } = this.endpoint.current;
    return own.length === 0 ? hiding : [...hiding, ...own];
  }
}

/** Stand for the method and class of a handler that no class declares. */
class Undeclared {}
function undeclared(): void {}
