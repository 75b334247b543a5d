import { limitOf, type Fault } from './fault.js';
import { judgeFault } from './judge-fault.js';

/** For Jest: each fault is a test of its own, at its short scale, titled as its promise. What it saw is in the message of a failure. */
export function describeFaults(name: string, faults: readonly Fault[]): void {
  describe(name, () => {
    it.each(faults.map((fault) => [`${fault.id}: ${fault.title}`, fault] as const))(
      '%s',
      async (_, fault) => {
        const { passed, line } = await judgeFault(fault, 'short');
        if (!passed) throw new Error(line);
      },
      // The verdict's own limit comes first, and names the fault.
      Math.max(...faults.map((fault) => limitOf(fault, 'short'))) + 5000,
    );
  });
}
