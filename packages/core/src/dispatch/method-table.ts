import type { DefinitionFault } from '../errors/definition-fault.js';
import { resultShape } from '../protocol/shapes/results.js';
import type { Shape } from '../protocol/shapes/shape.js';
import type { McpMethod } from './mcp-method.js';

/** A method and what the table knows of it. */
export interface MethodEntry {
  readonly method: McpMethod;
  /** Whether dispatch interceptors run around it: methods with a target, and everything that an extension adds. */
  readonly intercepted: boolean;
  /** The compiled check of its results. */
  readonly shape: Shape;
}

/** Every JSON-RPC method that is answered, by name. */
export type MethodTable = ReadonlyMap<string, MethodEntry>;

/** Adds JSON-RPC methods at start-up (`@McpSeam('method-contributor')`). A name that exists already fails the boot and names both. */
export interface McpMethodContributor {
  methods(): readonly McpMethod[];
}

/**
 * Builds the table once, from the core's methods and what extensions contribute. A name that exists already is reported, naming both
 * sides, and keeps its first method.
 */
export function buildMethodTable(
  core: readonly McpMethod[],
  contributors: readonly McpMethodContributor[],
  report: (fault: DefinitionFault) => void,
): MethodTable {
  const entries = new Map<string, MethodEntry>();
  const owners = new Map<string, string>();
  const add = (method: McpMethod, owner: string, contributed: boolean): void => {
    const former = owners.get(method.name);
    if (former !== undefined) return report(collision(method.name, former, owner));
    owners.set(method.name, owner);
    entries.set(
      method.name,
      Object.freeze({ method, intercepted: contributed || method.resolve !== undefined, shape: resultShape(method.name) }),
    );
  };
  for (const method of core) add(method, 'the core', false);
  for (const contributor of contributors) {
    for (const method of contributor.methods()) add(method, contributor.constructor.name, true);
  }
  return entries;
}

function collision(name: string, former: string, latter: string): DefinitionFault {
  return {
    where: latter,
    problem: `adds the method "${name}", which ${former} already answers.`,
    fix: `Rename it in methods() of ${latter}${former === 'the core' ? '' : `, or remove one of them`}.`,
  };
}
