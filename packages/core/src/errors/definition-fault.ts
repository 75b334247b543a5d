/** One mistake in the declaration of the server, found at boot: where it is, what it is, and what to write instead. */
export interface DefinitionFault {
  /** `Class.method` or `Class.field`, or the option's name. */
  readonly where: string;
  readonly problem: string;
  /** The fix: code or an option to write. */
  readonly fix: string;
}

/** Thrown by a single check; the explorer gathers these and reports all of them together. */
export class DefinitionError extends Error {
  constructor(readonly fault: DefinitionFault) {
    super(`${fault.where}: ${fault.problem}\n    ${fault.fix}`);
    this.name = 'DefinitionError';
  }
}

/** Every fault of the server's declaration, listed together; stops the boot. */
export class McpDefinitionsError extends Error {
  constructor(readonly faults: readonly DefinitionFault[]) {
    super(listFaults(faults));
    this.name = 'McpDefinitionsError';
  }
}

/**
 * The faults that a check threw, one or several.
 * @throws the error itself if it is not a fault of declaration
 */
export function faultsOf(error: unknown): readonly DefinitionFault[] {
  if (error instanceof McpDefinitionsError) return error.faults;
  if (error instanceof DefinitionError) return [error.fault];
  throw error;
}

function listFaults(faults: readonly DefinitionFault[]): string {
  const head =
    faults.length === 1
      ? 'The MCP server has 1 mistake in its declarations:'
      : `The MCP server has ${faults.length} mistakes in its declarations:`;
  return [head, ...faults.map((fault) => `  - ${fault.where}: ${fault.problem}\n    ${fault.fix}`)].join('\n');
}

/** Returns the value of `check`, or undefined if it threw faults, which are added to `faults`: boot continues to find the rest. */
export function collectFault<T>(faults: DefinitionFault[], check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    faults.push(...faultsOf(error));
    return undefined;
  }
}
