import type { McpMethod } from '../../src/dispatch/mcp-method.js';
import { buildMethodTable } from '../../src/dispatch/method-table.js';
import { buildRoutedParamTable, type RoutedParam } from '../../src/dispatch/routed-param-table.js';
import type { DefinitionFault } from '../../src/errors/definition-fault.js';
import { coreMethods, done } from './dispatch-harness.js';

const method = (name: string): McpMethod => ({ name, handle: async () => done });

class Toys {
  constructor(
    readonly names: readonly string[],
    readonly rows: readonly RoutedParam[] = [],
  ) {}
  methods = (): readonly McpMethod[] => this.names.map(method);
  routedParams = (): readonly RoutedParam[] => this.rows;
}
class Games extends Toys {}

function collect<T>(build: (report: (fault: DefinitionFault) => void) => T): { table: T; faults: DefinitionFault[] } {
  const faults: DefinitionFault[] = [];
  return { table: build((fault) => faults.push(fault)), faults };
}

describe('the method table', () => {
  it('holds the methods of the core and of every contributor', () => {
    const { table, faults } = collect((report) => buildMethodTable(coreMethods(), [new Toys(['toy/a']), new Games(['game/b'])], report));
    expect(faults).toEqual([]);
    expect([...table.keys()]).toEqual(['tools/call', 'tools/list', 'server/discover', 'toy/a', 'game/b']);
    expect(table.get('toy/a')?.method.name).toBe('toy/a');
    expect(table.get('toy/none')).toBeUndefined();
  });

  it('has entries that are frozen', () => {
    const { table } = collect((report) => buildMethodTable(coreMethods(), [], report));
    expect(Object.isFrozen(table.get('tools/call'))).toBe(true);
  });

  it('names both sides of a collision with the core, and the core stays', () => {
    const core = coreMethods();
    const { table, faults } = collect((report) => buildMethodTable(core, [new Toys(['tools/list'])], report));
    expect(faults).toHaveLength(1);
    expect(faults[0]?.where).toBe('Toys');
    expect(faults[0]?.problem).toBe('adds the method "tools/list", which the core already answers.');
    expect(table.get('tools/list')?.method).toBe(core[1]);
  });

  it('names both sides of a collision of contributors, and reports every one', () => {
    const { faults } = collect((report) => buildMethodTable([], [new Toys(['a', 'b']), new Games(['a', 'b'])], report));
    expect(faults.map(({ where, problem }) => `${where} ${problem}`)).toEqual([
      'Games adds the method "a", which Toys already answers.',
      'Games adds the method "b", which Toys already answers.',
    ]);
  });
});

describe('the Mcp-Name table', () => {
  it.each([
    ['tools/call', 'name'],
    ['prompts/get', 'name'],
    ['resources/read', 'uri'],
  ])('requires of %s its %s', (name, param) => {
    const { table } = collect((report) => buildRoutedParamTable([], report));
    expect(table.get(name)).toEqual({ method: name, param, presence: 'required' });
  });

  it('takes the rows of extensions', () => {
    const row: RoutedParam = { method: 'toy/a', param: 'toyId', presence: 'if-present' };
    const { table, faults } = collect((report) => buildRoutedParamTable([new Toys([], [row])], report));
    expect(table.get('toy/a')).toEqual(row);
    expect(faults).toEqual([]);
  });

  it('names both sides of a method listed twice', () => {
    const rows = (name: string): RoutedParam[] => [{ method: name, param: 'x', presence: 'required' }];
    const contributors = [new Toys([], rows('toy/a')), new Games([], [...rows('toy/a'), ...rows('tools/call')])];
    const { table, faults } = collect((report) => buildRoutedParamTable(contributors, report));
    expect(faults.map(({ where, problem }) => `${where} ${problem}`)).toEqual([
      'Games routes a param of "toy/a" by Mcp-Name, which Toys already does.',
      'Games routes a param of "tools/call" by Mcp-Name, which the core already does.',
    ]);
    expect(table.get('tools/call')?.param).toBe('name');
  });
});
