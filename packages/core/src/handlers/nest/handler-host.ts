import { ContextIdFactory, ModuleRef, type ContextId } from '@nestjs/core';
import type { HostWrapper } from '../../discovery/find-handlers.js';

/** The instance a handler runs on in one execution, with the ids under which Nest keeps its request-scoped parts. */
export interface HostInstance {
  readonly instance: object;
  /** Undefined for a host whose whole dependency tree is static. */
  readonly contextId?: ContextId;
}

/** The provider or controller that holds a handler. */
export class HandlerHost {
  /** @param own what holds the handler in place of the provider, in whose place in the container it stands */
  constructor(
    readonly wrapper: HostWrapper,
    private readonly own?: object,
  ) {}

  /** One instance serves every call. */
  get isStatic(): boolean {
    return this.wrapper.isDependencyTreeStatic() && !this.wrapper.isTransient;
  }

  /** That instance. */
  get fixed(): object {
    return this.own ?? (this.wrapper.instance as object);
  }

  /** The module's key in Nest's container: where the enhancers of the host live. */
  get moduleKey(): string {
    return this.wrapper.host?.token ?? '';
  }

  /** The instance for one execution of `request`; a request-scoped one is made, with its request-scoped dependencies. */
  async resolve(request: object): Promise<HostInstance> {
    if (this.isStatic) return { instance: this.fixed };
    const contextId = ContextIdFactory.getByRequest(request as Record<string, unknown>);
    const moduleRef = this.wrapper.host!.getProviderByKey<ModuleRef>(ModuleRef).instance;
    moduleRef.registerRequestByContextId(request, contextId);
    const instance = await moduleRef.resolve<object>(this.wrapper.token as never, contextId, { strict: true });
    return { instance: this.own ?? instance, contextId };
  }
}

/** The instance that runs for an enhancer given as a class; the class itself when it is made per request; anything else as it is. */
export function enhancerInForce({ wrapper }: HandlerHost, enhancer: unknown): unknown {
  if (typeof enhancer !== 'function') return enhancer;
  const found = wrapper.host?.injectables.get(enhancer as never) as HostWrapper | undefined;
  return found?.isDependencyTreeStatic() === true && !found.isTransient ? found.instance : enhancer;
}
