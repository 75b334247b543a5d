import { ModuleRef } from '@nestjs/core';
import type { DefinitionFault } from '../../errors/definition-fault.js';
import type { HostWrapper } from '../../discovery/find-handlers.js';
import type { HandlerHost } from '../nest/handler-host.js';
import { markedParams } from '../nest/prepare-handler.js';
import { NestKey, enhancersOn, methodOf, type MethodRef } from '../../nest/metadata.js';

/** The kinds of enhancer that a handler's metadata may name by class: Nest's key, its word for the kind, and the method it must have. */
const KINDS = [
  { key: NestKey.Guards, subtype: 'guard', method: 'canActivate' },
  { key: NestKey.Interceptors, subtype: 'interceptor', method: 'intercept' },
  { key: NestKey.Pipes, subtype: 'pipe', method: 'transform' },
  { key: NestKey.Filters, subtype: 'filter', method: 'catch' },
] as const;

type Enhancer = (typeof KINDS)[number] & { readonly ref: abstract new (...args: never[]) => unknown };

/**
 * Checks, at boot, that every enhancer that a handler names by class has an instance. Nest silently leaves out one
 * that it cannot resolve, and resolves none for a factory's product: a guard would be skipped. Missing ones are
 * created in the host's module if possible.
 * @returns a fault for each enhancer that cannot be created
 */
export async function resolveEnhancers(host: HandlerHost, ref: MethodRef & { readonly where: string }): Promise<DefinitionFault[]> {
  const faults: DefinitionFault[] = [];
  for (const enhancer of enhancersOf(ref)) {
    const reason = await resolveEnhancer(host.wrapper, enhancer);
    if (reason !== undefined) faults.push(unresolved(enhancer, ref.where, reason));
  }
  return faults;
}

function enhancersOf(ref: MethodRef): Enhancer[] {
  const method = methodOf(ref);
  const named = KINDS.flatMap((kind) =>
    [ref.classRef, method].flatMap((target) => classesIn(enhancersOn(target, kind.key)).map((found) => ({ ...kind, ref: found }))),
  );
  const pipes = Object.values(markedParams(ref)).flatMap((param) => classesIn(param.pipes));
  return [...named, ...pipes.map((found) => ({ ...KINDS[2], ref: found }))];
}

function classesIn(enhancers: unknown): (abstract new (...args: never[]) => unknown)[] {
  return Array.isArray(enhancers) ? enhancers.filter((enhancer): enhancer is Enhancer['ref'] => typeof enhancer === 'function') : [];
}

/** Why the enhancer cannot be had; undefined when it is there now. */
async function resolveEnhancer(wrapper: HostWrapper, enhancer: Enhancer): Promise<string | undefined> {
  const { ref, subtype, method } = enhancer;
  const module = wrapper.host;
  if (!module) return 'its host belongs to no module';
  let found = module.injectables.get(ref as never) as HostWrapper | undefined;
  if (!found) {
    const moduleRef = module.getProviderByKey<ModuleRef>(ModuleRef).instance;
    try {
      const made = await moduleRef.create(ref as never);
      found = module.addInjectable(ref as never, subtype) as HostWrapper;
      found.instance = made;
    } catch (error) {
      return error instanceof Error ? error.message.split('\n')[0]! : 'it could not be created';
    }
  }
  return isUsable(found, enhancer) ? undefined : `it has no method ${method}()`;
}

/** Whether Nest will run it. Of one that is made per request there is no instance yet: then Nest looks at each as it is made. */
function isUsable(wrapper: HostWrapper, { ref, method }: Enhancer): boolean {
  const places = [wrapper.instance, ref.prototype, ref] as (Record<string, unknown> | undefined)[];
  return places.some((place) => typeof place?.[method] === 'function') || !wrapper.isDependencyTreeStatic();
}

function unresolved({ ref, subtype }: Enhancer, where: string, reason: string): DefinitionFault {
  return {
    where,
    problem: `the ${subtype} ${ref.name} cannot be resolved: ${reason}`,
    fix: `Provide the tool's class itself in a module (providers: [TheClass]), or give the ${subtype} as an instance: new ${ref.name}(…).`,
  };
}
