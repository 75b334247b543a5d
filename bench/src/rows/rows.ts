import { FLOOR } from './cells.js';
import { cpuRatio, timesFaster } from './ratios.js';
import type { Bounds, Row } from './row.js';

const atMost = (must: number, goal: number): Bounds => ({ must, goal, sense: 'most' });
const atLeast = (must: number, goal: number): Bounds => ({ must, goal, sense: 'least' });

/** A row in F: the CPU time of a cell by that of bare Nest on Fastify. */
function inF(title: string, of: string, bounds?: Bounds): Row {
  const comparison = { title, unit: 'F', of, to: FLOOR };
  return cpuRatio(bounds === undefined ? comparison : { ...comparison, bounds });
}

/** Every row of the report, by the name that `--rows` takes. This is the one table of what must hold (first number) and what is aimed at (second). */
export const ROWS: Readonly<Record<string, Row>> = {
  raw: inF('raw node:http', 'raw'),
  zod: inF('tools/call, zod', 'zod', atMost(1.5, 1.2)),
  dto: inF('tools/call, DTO', 'dto', atMost(1.5, 1.2)),
  schema: inF('tools/call, raw JSON Schema', 'schema', atMost(1.5, 1.2)),
  guarded: inF('tools/call with a class guard and a global interceptor', 'guarded', atMost(1.8, 1.4)),
  create: inF('create→complete in memory, one request', 'create', atMost(2.6, 2)),
  'create-get': inF('create→complete in memory and one tasks/get', 'create-get', atMost(4.2, 3.2)),
  get: inF('tasks/get in memory', 'get', atMost(1.5, 1.25)),
  list10: inF('tools/list, 10 tools', 'list10', atMost(1.4, 1.15)),
  list500: inF('tools/list, 500 tools in one page', 'list500', atMost(5, 3)),
  official: inF('official server as documented, tools/call', 'official'),
  'official-lean': inF('official server, lean, tools/call', 'official-lean'),
  'official-list10': inF('official server, tools/list, 10 tools', 'official-list10'),
  'official-list500': inF('official server, tools/list, 500 tools', 'official-list500'),
  'over-official': timesFaster({
    title: 'tools/call: faster than the official server, lean',
    of: 'zod',
    to: 'official-lean',
    bounds: atLeast(8, 10),
  }),
};
