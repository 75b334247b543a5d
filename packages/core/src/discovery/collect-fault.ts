import { DefinitionError, type DefinitionFault } from '../errors/definition-fault.js';

/** What `check` gives, or undefined when it threw a fault, which goes to `faults`: boot goes on to find the rest. */
export function collectFault<T>(faults: DefinitionFault[], check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    faults.push(error.fault);
    return undefined;
  }
}
