import type { ServerFacts } from './read-info.js';

/** Findings of the boot check about one server. */
export interface ServerFindings {
  /** Name and version: `Redis 7.0.15`. */
  readonly server: string;
  /** All that bears on keeping tasks, in some words. */
  readonly findings: readonly string[];
  /** Why no task can be stored there. Each says how to fix it. */
  readonly faults: readonly string[];
  /** How tasks get lost there: a fault, unless the application takes it upon itself. */
  readonly unsafe: readonly string[];
  /** Problems that do not stop the boot. */
  readonly warnings: readonly string[];
}

const LEAST_VERSION = [6, 2] as const;

/** Names and version fields of servers that speak Redis's protocol; they all give a `redis_version` as well, of what they are compatible with. */
const KINDS = [
  ['Valkey', 'valkey_version'],
  ['Dragonfly', 'dragonfly_version'],
  ['Redis', 'redis_version'],
] as const;

/** Judges a server by what it says of itself. What it does not say is a warning. */
export function judgeServer({ address, info, config }: ServerFacts): ServerFindings {
  if (info.size === 0) {
    const warning = `${address} does not let this user read INFO, so it is unknown whether it evicts or loses tasks. Grant +info, or check the settings yourself`;
    return { server: 'Redis', findings: ['nothing known'], faults: [], unsafe: [], warnings: [warning] };
  }
  const [kind, field] = KINDS.find(([, name]) => info.has(name)) ?? KINDS[2];
  const judged = [
    judgeVersion(info),
    judgeRole(info),
    judgeEviction(info, config),
    judgePersistence(info, config),
    judgeReplicas(info, config),
  ];
  const told = (what: (one: Judgement) => string | undefined) => judged.flatMap((one) => what(one) ?? []);
  const at = (text: string) => `${address} ${text}`;
  return {
    server: `${kind} ${info.get(field) ?? '?'}`,
    findings: told(({ finding }) => finding),
    faults: told(({ fault }) => fault).map(at),
    unsafe: told(({ unsafe }) => unsafe).map(at),
    warnings: told(({ warning }) => warning).map(at),
  };
}

type Fields = ReadonlyMap<string, string>;
type Judgement = { readonly [K in 'finding' | 'fault' | 'unsafe' | 'warning']?: string };

function judgeVersion(info: Fields): Judgement {
  const version = info.get('redis_version') ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const old = major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1]);
  return old ? { fault: `is compatible with Redis ${version}; use 6.2 or later, or any Valkey` } : {};
}

function judgeRole(info: Fields): Judgement {
  if (info.get('role') !== 'slave') return {};
  const primary = `${info.get('master_host')}:${info.get('master_port')}`;
  return { fault: `is a replica, which takes no writes; connect to its primary, ${primary}, or use Sentinel` };
}

function judgeEviction(info: Fields, config: Fields | undefined): Judgement {
  const policy = info.get('maxmemory_policy') ?? config?.get('maxmemory-policy');
  if (policy === undefined)
    return { warning: 'does not report its maxmemory-policy; unless it is noeviction, tasks are lost when its memory is full' };
  if (policy === 'noeviction') return { finding: 'noeviction' };
  // Every key of a task has a time to live, so "volatile" means the tasks.
  const unsafe = `has maxmemory-policy ${policy}: when its memory is full it evicts running tasks. Set it to noeviction, or write onUnsafe: 'warn'`;
  return { finding: policy, unsafe };
}

function judgePersistence(info: Fields, config: Fields | undefined): Judgement {
  if (info.get('aof_enabled') === '1') return { finding: `AOF${fsyncOf(config)}` };
  const save = config?.get('save');
  if (save === undefined) return { finding: 'no AOF', warning: 'has no append-only file: its restart loses at least the latest tasks' };
  if (save === '') return { finding: 'no persistence', warning: 'stores nothing on disk: its restart loses all tasks. Turn appendonly on' };
  return {
    finding: 'snapshots',
    warning: 'only stores snapshots: its restart loses everything written since the last one. Turn appendonly on',
  };
}

function fsyncOf(config: Fields | undefined): string {
  const policy = config?.get('appendfsync');
  return policy === undefined ? '' : ` ${policy}`;
}

function judgeReplicas(info: Fields, config: Fields | undefined): Judgement {
  const replicas = Number(info.get('connected_slaves') ?? 0);
  if (replicas === 0) return { finding: 'no replicas' };
  const count = replicas === 1 ? '1 replica' : `${replicas} replicas`;
  const least = Number(config?.get('min-replicas-to-write') ?? (info.has('min_slaves_good_slaves') ? 1 : 0));
  if (least > 0) return { finding: `${count}, writes need ${least}` };
  return {
    finding: count,
    warning: 'has replicas, but no write waits for them: a failover loses the last acknowledged writes. Set min-replicas-to-write to 1',
  };
}
