import { faultsOf, type DefinitionFault } from '../errors/definition-fault.js';

/** Returns the value of `check`, or undefined if it threw faults, which are added to `faults`: boot continues to find the rest. */
export function collectFault<T>(faults: DefinitionFault[], check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    faults.push(...faultsOf(error));
    return undefined;
  }
}
