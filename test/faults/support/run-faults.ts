import type { Fault } from './fault.js';
import { judgeFault } from './judge-fault.js';

/**
 * Runs the faults that `ids` name (all without one; `F01` also names `F01-fail`) at their long scale, one after the other, and prints a line for each and then the sum.
 * @returns whether all passed
 * @throws Error when an id names no fault, or two faults have one id
 */
export async function runFaults(faults: readonly Fault[], ids: readonly string[], print: (line: string) => void): Promise<boolean> {
  const chosen = chooseFaults(faults, ids);
  let failed = 0;
  for (const fault of chosen) {
    const { passed, line } = await judgeFault(fault, 'long');
    if (!passed) failed += 1;
    print(line);
  }
  print(`${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0;
}

function chooseFaults(faults: readonly Fault[], ids: readonly string[]): readonly Fault[] {
  const known = faults.map(({ id }) => id);
  const doubled = known.find((id, index) => known.indexOf(id) !== index);
  if (doubled !== undefined) throw new Error(`Two faults have the id ${doubled}: give one of them a suffix`);
  const names = (wanted: string, id: string) => id === wanted || id.startsWith(`${wanted}-`);
  const unknown = ids.filter((wanted) => !known.some((id) => names(wanted, id)));
  if (unknown.length > 0) throw new Error(`No such fault: ${unknown.join(', ')}. There are: ${known.join(', ')}`);
  return ids.length === 0 ? faults : faults.filter(({ id }) => ids.some((wanted) => names(wanted, id)));
}
