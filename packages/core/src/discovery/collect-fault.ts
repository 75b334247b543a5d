import { faultsOf, type DefinitionFault } from '../errors/definition-fault.js';

/** What `check` gives, or undefined when it threw faults, which go to `faults`: boot goes on to find the rest. */
export function collectFault<T>(faults: DefinitionFault[], check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    faults.push(...faultsOf(error));
    return undefined;
  }
}
