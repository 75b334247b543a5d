import { FLOOR } from './cells.js';
import { ratio, timesFaster } from './ratios.js';
import type { Bounds, ProbeRow, Row } from './row.js';

const atMost = (must: number, goal: number): { bounds: Bounds } => ({ bounds: { must, goal, sense: 'most' } });
const atLeast = (must: number, goal: number): { bounds: Bounds } => ({ bounds: { must, goal, sense: 'least' } });

/** A row in F: the CPU time of a cell by that of bare Nest on Fastify. */
const inF = (title: string, of: string, bounds: { bounds?: Bounds } = {}): Row => ratio({ title, unit: 'F', of, to: FLOOR, ...bounds });

const probe = ({ bounds, ...row }: Omit<ProbeRow, 'bounds'> & { bounds?: { bounds: Bounds } }): Row => ({ ...row, ...bounds });

/** How much more something costs in the largest case of the growth probe than in a small one. */
const growth = (title: string, value: string): Row => probe({ title, unit: '×', probe: 'growth', value });

/** Every row of the report, by the name that `--rows` takes. This is the one table of what must hold (first number) and what is aimed at (second). */
export const ROWS: Readonly<Record<string, Row>> = {
  raw: inF('raw node:http', 'raw'),
  zod: inF('tools/call, zod', 'zod', atMost(1.5, 1.2)),
  dto: inF('tools/call, DTO', 'dto', atMost(1.5, 1.2)),
  schema: inF('tools/call, raw JSON Schema', 'schema', atMost(1.5, 1.2)),
  guarded: inF('tools/call with a class guard and a global interceptor', 'guarded', atMost(1.8, 1.4)),
  'over-official': timesFaster({ title: 'tools/call, times the lean official server', of: 'zod', to: 'official-lean', ...atLeast(8, 10) }),
  'over-mcp-nest': timesFaster({ title: 'tools/call, times MCP-Nest', of: 'zod', to: 'mcp-nest', ...atLeast(8, 10) }),
  create: inF('create→complete in memory, one request', 'create', atMost(2.6, 2)),
  'create-get': inF('create→complete in memory and one tasks/get', 'create-get', atMost(4.2, 3.2)),
  get: inF('tasks/get in memory', 'get', atMost(1.5, 1.25)),
  'redis-get': inF('tasks/get in Redis, one task', 'redis-get', atMost(2.2, 1.6)),
  'redis-get-many': inF('tasks/get in Redis, 2,000 tasks', 'redis-get-many', atMost(2.2, 1.6)),
  list10: inF('tools/list, 10 tools', 'list10', atMost(1.4, 1.15)),
  list500: inF('tools/list, 500 tools in one page', 'list500', atMost(5, 3)),
  'redis-create': inF('create→complete in Redis over HTTP', 'redis-create', atMost(6, 4.5)),
  'engine-rate': ratio({
    title: 'engine and Redis store, rate',
    unit: 'B',
    of: 'engine',
    to: 'bullmq',
    by: 'perSecond',
    ...atLeast(0.8, 1.2),
  }),
  'engine-cpu': ratio({ title: 'engine and Redis store, client CPU', unit: 'B', of: 'engine', to: 'bullmq', ...atMost(1.6, 1.2) }),
  'engine-redis': ratio({ title: 'engine and Redis store, CPU of Redis', unit: 'B', of: 'engine', to: 'bullmq', by: 'redisUs' }),
  'engine-sets': ratio({ title: 'engine and Redis store, client CPU', unit: 'D', of: 'engine', to: 'sets' }),
  'step-time': probe({
    title: 'step 1,000 beside step 10 in Redis, time',
    unit: '×',
    probe: 'steps',
    value: 'time',
    bounds: atMost(1.3, 1.1),
  }),
  'step-bytes': probe({
    title: 'step 1,000 in Redis, bytes beyond the entry',
    unit: 'B',
    probe: 'steps',
    value: 'bytes',
    bounds: atMost(400, 200),
  }),
  'poll-ledger': ratio({
    title: 'tasks/get with a ledger of 3 MB beside one without',
    of: 'poll-ledger',
    to: 'poll-plain',
    ...atMost(1.3, 1.1),
  }),
  'parked-heap': probe({
    title: 'parked task in memory, heap by its JSON',
    unit: '×',
    probe: 'parked',
    value: 'heap',
    bounds: atMost(1.35, 1.2),
  }),
  'parked-redis': probe({
    title: 'parked task in Redis, memory by its JSON',
    unit: '×',
    probe: 'parked-redis',
    value: 'memory',
    bounds: atMost(1.6, 1.4),
  }),
  sleeping: probe({ title: 'running task that sleeps, heap', unit: 'KB', probe: 'sleeping', value: 'heap', bounds: atMost(10, 5) }),
  'push-memory': probe({ title: 'completion→push in memory, p50', unit: 'ms', probe: 'push', value: 'p50', bounds: atMost(1, 0.7) }),
  'push-redis': probe({
    title: 'completion→push by another node, p50',
    unit: 'ms',
    probe: 'push-redis',
    value: 'p50',
    bounds: atMost(1.5, 1),
  }),
  'growth-get': ratio({ title: 'tasks/get beside 100,000 tasks, by 100', of: 'get-many', to: 'get-few', ...atMost(1.1, 1.05) }),
  'growth-update': ratio({
    title: 'create, question, tasks/update beside 100,000 tasks, by 100',
    of: 'update-many',
    to: 'update-few',
    ...atMost(1.1, 1.05),
  }),
  'growth-create': ratio({ title: 'create→complete beside 100,000 tasks, by 100', of: 'create-many', to: 'create-few' }),
  'growth-heap': growth('heap of each of 100,000 completed tasks, by 1,000', 'heap'),
  'growth-sweep': growth('removing each of 100,000 expired tasks, CPU, by 1,000', 'sweep'),
  'growth-step': probe({ title: 'step 4,000 beside step 10 in memory, time', unit: '×', probe: 'steps-memory', value: 'time' }),
  'listeners-open': probe({ title: 'opening each of 1,000 listeners, CPU, by 100', unit: '×', probe: 'listeners', value: 'open' }),
  'listeners-push': probe({ title: 'a push to each of 1,000 listeners, CPU, by 100', unit: '×', probe: 'listeners', value: 'push' }),
  list5000: ratio({ title: 'tools/list, 5,000 tools by 500', of: 'list5000', to: 'list500' }),
  'add-tool': probe({ title: 'addTool beside 5,000 tools, by 500', unit: '×', probe: 'add-tool', value: 'time' }),
  'large-arguments': probe({
    title: 'tools/call with 1 MB of rows, longest hold of the event loop',
    unit: 'ms',
    probe: 'large-arguments',
    value: 'hold',
    bounds: atMost(8, 8),
  }),
  promises: probe({
    title: 'promises of a tools/call beyond those of F',
    unit: '',
    probe: 'promises',
    value: 'beyond',
    bounds: atMost(0, 0),
  }),
  official: inF('official server as documented, tools/call', 'official'),
  'official-lean': inF('official server, lean, tools/call', 'official-lean'),
  'mcp-nest': inF('MCP-Nest, tools/call', 'mcp-nest'),
  'official-list10': inF('official server, tools/list, 10 tools', 'official-list10'),
  'official-list500': inF('official server, tools/list, 500 tools', 'official-list500'),
  'mcp-nest-list10': inF('MCP-Nest, tools/list, 10 tools', 'mcp-nest-list10'),
  'mcp-nest-list500': inF('MCP-Nest, tools/list, 500 tools', 'mcp-nest-list500'),
};
