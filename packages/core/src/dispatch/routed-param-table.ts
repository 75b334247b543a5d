import type { DefinitionFault } from '../errors/definition-fault.js';

/** One row of the `Mcp-Name` table: which param the header mirrors (MCP transports "Standard request headers"). */
export interface RoutedParam {
  readonly method: string;
  /** The member of `params` that the header repeats. */
  readonly param: string;
  /** `required`: a missing header is `-32020`. `if-present`: only a header that is there is compared. A mismatch is always `-32020`. */
  readonly presence: 'required' | 'if-present';
}

/** Adds rows to the `Mcp-Name` table at start-up (`@McpSeam('routed-param-contributor')`). A method listed twice fails the boot and names both. */
export interface RoutedParamContributor {
  routedParams(): readonly RoutedParam[];
}

/** Which param `Mcp-Name` mirrors, by method. */
export type RoutedParamTable = ReadonlyMap<string, RoutedParam>;

/** The rows of the revision itself (MCP transports "Standard request headers"). */
const CORE_ROWS: readonly RoutedParam[] = [
  { method: 'tools/call', param: 'name', presence: 'required' },
  { method: 'prompts/get', param: 'name', presence: 'required' },
  { method: 'resources/read', param: 'uri', presence: 'required' },
];

/** Builds the `Mcp-Name` table once. A method listed twice is reported, naming both sides, and keeps its first row. */
export function buildRoutedParamTable(
  contributors: readonly RoutedParamContributor[],
  report: (fault: DefinitionFault) => void,
): RoutedParamTable {
  const rows = new Map<string, { row: RoutedParam; owner: string }>();
  for (const row of CORE_ROWS) rows.set(row.method, { row, owner: 'the core' });
  for (const contributor of contributors) {
    const owner = contributor.constructor.name;
    for (const row of contributor.routedParams()) {
      const former = rows.get(row.method);
      if (former === undefined) rows.set(row.method, { row: Object.freeze({ ...row }), owner });
      else report(collision(row.method, former.owner, owner));
    }
  }
  return new Map([...rows].map(([method, { row }]) => [method, row]));
}

function collision(method: string, former: string, latter: string): DefinitionFault {
  return {
    where: latter,
    problem: `routes a param of "${method}" by Mcp-Name, which ${former} already does.`,
    fix: `Remove the row of "${method}" from routedParams() of ${latter}${former === 'the core' ? '' : ` or of ${former}`}.`,
  };
}
