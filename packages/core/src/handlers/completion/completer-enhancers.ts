import type { DefinitionFault } from '../../errors/definition-fault.js';
import { ENDPOINT_GUARD, GUARDS_PASSED_GUARD } from '../nest/framework-guards.js';
import { NestKey, enhancersOn, methodOf, type EnhancerKey, type MethodRef } from '../../nest/metadata.js';

/** The enhancers that never run around a completer. */
const OTHERS = new Map<EnhancerKey, string>([
  [NestKey.Interceptors, 'interceptors'],
  [NestKey.Pipes, 'pipes'],
  [NestKey.Filters, 'filters'],
]);

/**
 * Reports enhancers on a completer's method and class, inherited ones included: a completer runs outside of Nest's
 * pipeline, so none of them would run. Guards of the class are right where the owner has the same: they are asked for
 * it.
 * @param owner the method that is completed; undefined where no class declares it
 * @param what the prompt or template, for the message
 */
export function enhancerFault(
  completer: MethodRef,
  owner: MethodRef | undefined,
  what: string,
): Omit<DefinitionFault, 'where'> | undefined {
  const method = methodOf(completer);
  if ([NestKey.Guards, ...OTHERS.keys()].some((key) => ofAuthor(method, key).length > 0)) {
    return {
      problem: 'it has guards, interceptors, pipes or filters of its own, which do not run for a completion',
      fix: `Put the guards on the ${what}: they also protect its completions.`,
    };
  }
  const asked = owner ? [...ofAuthor(owner.classRef, NestKey.Guards), ...ofAuthor(methodOf(owner), NestKey.Guards)] : [];
  if (ofAuthor(completer.classRef, NestKey.Guards).some((guard) => !asked.includes(guard))) {
    return {
      problem: `its class has guards that the ${what} does not have, and they do not run for a completion`,
      fix: `Put the guards on the ${what} as well, where they also protect its completions, or move the completer to a class without them.`,
    };
  }
  const [, kind] = [...OTHERS].find(([key]) => ofAuthor(completer.classRef, key).length > 0) ?? [];
  if (kind === undefined) return undefined;
  return {
    problem: `its class has ${kind}, which do not run for a completion`,
    fix: `Move the completer to a class without them, or put the ${kind} on the methods that need them.`,
  };
}

/** The enhancers that the author has named, without those of the framework. */
function ofAuthor(target: object, key: EnhancerKey): unknown[] {
  return enhancersOn(target, key).filter((enhancer) => enhancer !== ENDPOINT_GUARD && enhancer !== GUARDS_PASSED_GUARD);
}
