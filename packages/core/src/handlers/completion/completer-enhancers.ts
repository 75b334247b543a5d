import type { DefinitionFault } from '../../errors/definition-fault.js';
import { ENDPOINT_GUARD, GUARDS_PASSED_GUARD } from '../nest/framework-guards.js';
import { methodOf, type HandlerRef } from '../boot/prepare-handler.js';

const GUARDS = '__guards__';
/** Nest's keys of what never runs around a completer. */
const OTHERS = { __interceptors__: 'interceptors', __pipes__: 'pipes', __exceptionFilters__: 'filters' };

/**
 * Reports enhancers on a completer's method and class, inherited ones included: a completer runs outside of Nest's
 * pipeline, so none of them would run. Guards of the class are right where the owner has the same: they are asked for
 * it.
 * @param owner the method that is completed; undefined where no class declares it
 * @param what the prompt or template, for the message
 */
export function enhancerFault(
  completer: HandlerRef,
  owner: HandlerRef | undefined,
  what: string,
): Omit<DefinitionFault, 'where'> | undefined {
  const method = methodOf(completer);
  if ([GUARDS, ...Object.keys(OTHERS)].some((key) => enhancersOn(method, key).length > 0)) {
    return {
      problem: 'it has guards, interceptors, pipes or filters of its own, which do not run for a completion',
      fix: `Put the guards on the ${what}: they also protect its completions.`,
    };
  }
  const asked = owner ? [...enhancersOn(owner.classRef, GUARDS), ...enhancersOn(methodOf(owner), GUARDS)] : [];
  if (enhancersOn(completer.classRef, GUARDS).some((guard) => !asked.includes(guard))) {
    return {
      problem: `its class has guards that the ${what} does not have, and they do not run for a completion`,
      fix: `Put the guards on the ${what} as well, where they also protect its completions, or move the completer to a class without them.`,
    };
  }
  const [, kind] = Object.entries(OTHERS).find(([key]) => enhancersOn(completer.classRef, key).length > 0) ?? [];
  if (kind === undefined) return undefined;
  return {
    problem: `its class has ${kind}, which do not run for a completion`,
    fix: `Move the completer to a class without them, or put the ${kind} on the methods that need them.`,
  };
}

function enhancersOn(target: object, key: string): unknown[] {
  const found = (Reflect.getMetadata(key, target) ?? []) as unknown[];
  return found.filter((enhancer) => enhancer !== ENDPOINT_GUARD && enhancer !== GUARDS_PASSED_GUARD);
}
