import type { DefinitionFault } from '../../errors/definition-fault.js';
import type { HostWrapper } from '../../discovery/find-handlers.js';
import type { HandlerHiding } from '../run/prepared-handler.js';
import { isVisibility, type McpVisibility } from '../run/mcp-visibility.js';
import { NestKey, enhancersOn, methodOf, type MethodRef } from '../../nest/metadata.js';

/** The guards of a handler's class and method that may hide it. Those that cannot be asked outside of a request go to `faults`: they would hide nothing. */
export function hidingOf(host: HostWrapper, ref: MethodRef & { readonly where: string }, faults: DefinitionFault[]): HandlerHiding {
  const named = [ref.classRef, methodOf(ref)].flatMap((target) => enhancersOn(target, NestKey.Guards));
  const guards = named.flatMap((guard) => {
    if (typeof guard !== 'function') return isVisibility(guard) ? [guard] : [];
    const wrapper = host.host?.injectables.get(guard as never) as HostWrapper | undefined;
    return visibilityOf(wrapper, guard.name, { where: ref.where, faults });
  });
  return { ref, guards };
}

/** The global guards that may hide handlers. */
export function globalHiding(instances: readonly unknown[], scoped: readonly HostWrapper[], faults: DefinitionFault[]): McpVisibility[] {
  const where = 'APP_GUARD';
  return [...instances.filter(isVisibility), ...scoped.flatMap((wrapper) => visibilityOf(wrapper, wrapper.name, { where, faults }))];
}

function visibilityOf(
  wrapper: HostWrapper | undefined,
  name: string,
  place: { where: string; faults: DefinitionFault[] },
): McpVisibility[] {
  const prototype: unknown = (wrapper?.metatype as { prototype?: unknown } | null | undefined)?.prototype;
  const isStatic = wrapper?.isDependencyTreeStatic() === true && !wrapper.isTransient;
  if (isStatic && isVisibility(wrapper.instance)) return [wrapper.instance];
  if (isStatic || !isVisibility(prototype)) return [];
  place.faults.push({
    where: place.where,
    problem: `the guard ${name} has canSee() and is request-scoped, but lists call it outside of any request`,
    fix: 'Give the guard the default scope, or move canSee() to a guard of its own.',
  });
  return [];
}
