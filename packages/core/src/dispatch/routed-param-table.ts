import type { DefinitionFault } from '../errors/definition-fault.js';
import type { RoutedParam, RoutedParamContributor } from './routed-param-contributor.js';

/** Which param `Mcp-Name` mirrors, by method. */
export interface RoutedParamTable {
  find(method: string): RoutedParam | undefined;
}

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
  return Object.freeze({ find: (method: string) => rows.get(method)?.row });
}

function collision(method: string, former: string, latter: string): DefinitionFault {
  return {
    where: latter,
    problem: `routes a param of "${method}" by Mcp-Name, which ${former} already does.`,
    fix: `Remove the row of "${method}" from routedParams() of ${latter}${former === 'the core' ? '' : ` or of ${former}`}.`,
  };
}
