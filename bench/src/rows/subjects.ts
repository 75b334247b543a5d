import type { SubjectSettings } from '../measure/subject.js';

const IN_REDIS = { BENCH_STORE: 'redis', BENCH_TTL: '600000' };

/** The processes under measurement, by name. */
export const SUBJECTS: Readonly<Record<string, SubjectSettings>> = {
  raw: { server: 'raw' },
  floor: { server: 'floor' },
  sync: { server: 'sync' },
  guarded: { server: 'guarded' },
  lists10: { server: 'lists', env: { BENCH_TOOLS: '10' } },
  lists500: { server: 'lists', env: { BENCH_TOOLS: '500' } },
  lists5000: { server: 'lists', env: { BENCH_TOOLS: '5000' } },
  tasks: { server: 'tasks' },
  'tasks-few': { server: 'tasks' },
  'tasks-many': { server: 'tasks' },
  redis: { server: 'tasks', env: { ...IN_REDIS, BENCH_PREFIX: 'http:' } },
  engine: { server: 'tasks', env: { ...IN_REDIS, BENCH_PREFIX: 'engine:', BENCH_ENGINE: 'yes' } },
  bullmq: { server: 'bullmq' },
  sets: { server: 'sets' },
  'official-lean': { server: 'official-lean' },
  official: { server: 'official' },
  'official-lists10': { server: 'official', env: { BENCH_TOOLS: '10' } },
  'official-lists500': { server: 'official', env: { BENCH_TOOLS: '500' } },
  'mcp-nest': { server: 'mcp-nest' },
  'mcp-nest-lists10': { server: 'mcp-nest', env: { BENCH_TOOLS: '10' } },
  'mcp-nest-lists500': { server: 'mcp-nest', env: { BENCH_TOOLS: '500' } },
};
