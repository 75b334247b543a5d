import { judgeServer, type ServerFindings } from '../../src/boot-check/judge-server.js';
import { parseConfig, parseInfo } from '../../src/boot-check/read-info.js';

const GOOD = { redis_version: '7.0.15', role: 'master', maxmemory_policy: 'noeviction', aof_enabled: '1', connected_slaves: '0' };

/** The judgement on a server that says this, beside what is good. Undefined takes a field away. */
function judge(info: Readonly<Record<string, string | undefined>> = {}, config?: Readonly<Record<string, string>>): ServerFindings {
  const lines = Object.entries({ ...GOOD, ...info }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]));
  return judgeServer({
    address: 'cache:6379',
    info: parseInfo(['# Section', ...lines, ''].join('\r\n')),
    config: config && parseConfig(Object.entries(config).flat()),
  });
}

describe('a server that keeps what it is given', () => {
  it('is found nothing wrong with', () => {
    expect(judge({}, { appendfsync: 'everysec' })).toEqual({
      server: 'Redis 7.0.15',
      findings: ['noeviction', 'AOF everysec', 'no replicas'],
      faults: [],
      unsafe: [],
      warnings: [],
    });
  });

  it.each([
    ['Redis 6.2.0', { redis_version: '6.2.0' }],
    ['Redis 10.0.1', { redis_version: '10.0.1' }],
    ['Valkey 8.1.2', { redis_version: '7.2.4', valkey_version: '8.1.2' }],
    ['Dragonfly df-v1.30.0', { redis_version: '7.4.0', dragonfly_version: 'df-v1.30.0' }],
  ])('is called by its own name: %s', (server, info) => {
    expect(judge(info)).toMatchObject({ server, faults: [] });
  });
});

describe('a server where no task can be kept', () => {
  it.each(['6.0.16', '5.0.14', '2.8.0', undefined])('is one of version %s', (redis_version) => {
    expect(judge({ redis_version }).faults).toEqual([expect.stringContaining('6.2')]);
  });

  it('is a replica, and its primary is named', () => {
    const { faults } = judge({ role: 'slave', master_host: 'db1', master_port: '6380' });
    expect(faults).toEqual([expect.stringMatching(/^cache:6379 is a replica.*db1:6380/)]);
  });
});

describe('a server that evicts', () => {
  it.each(['allkeys-lru', 'volatile-ttl', 'volatile-lru', 'allkeys-random'])('by %s is unsafe, with the way to fix it', (policy) => {
    expect(judge({ maxmemory_policy: policy }).unsafe).toEqual([expect.stringMatching(new RegExp(`${policy}.*noeviction.*onUnsafe`))]);
  });

  it('is found out by CONFIG where INFO does not tell, and is a warning where neither does', () => {
    expect(judge({ maxmemory_policy: undefined }, { 'maxmemory-policy': 'allkeys-lru' }).unsafe).toHaveLength(1);
    const unknown = judge({ maxmemory_policy: undefined });
    expect(unknown.unsafe).toEqual([]);
    expect(unknown.warnings).toEqual([expect.stringContaining('maxmemory-policy')]);
  });
});

describe('a server that forgets', () => {
  it.each([
    ['everything', { config: { save: '' }, finding: 'no persistence', warning: /all tasks/ }],
    ['what came after the last snapshot', { config: { save: '3600 1' }, finding: 'snapshots', warning: /since the last/ }],
    ['who knows what, for CONFIG is denied', { config: undefined, finding: 'no AOF', warning: /append-only/ }],
  ])('%s is a warning', (_what, { config, finding, warning }) => {
    const { findings, warnings, unsafe, faults } = judge({ aof_enabled: '0' }, config);
    expect(findings).toContain(finding);
    expect(warnings).toEqual([expect.stringMatching(warning)]);
    expect([...unsafe, ...faults]).toEqual([]);
  });

  it('in a failover is a warning, unless writes wait for a replica', () => {
    expect(judge({ connected_slaves: '2' }, { 'min-replicas-to-write': '0' })).toMatchObject({
      findings: expect.arrayContaining(['2 replicas']),
      warnings: [expect.stringContaining('min-replicas-to-write')],
    });
    expect(judge({ connected_slaves: '1' }, { 'min-replicas-to-write': '1' })).toMatchObject({
      findings: expect.arrayContaining(['1 replica, writes need 1']),
      warnings: [],
    });
    // INFO counts the good replicas only where writes need some.
    expect(judge({ connected_slaves: '1', min_slaves_good_slaves: '1' }).warnings).toEqual([]);
  });
});

describe('a server that tells nothing', () => {
  it('is a warning', () => {
    const { warnings, faults } = judgeServer({ address: 'cache:6379', info: new Map(), config: undefined });
    expect(warnings).toEqual([expect.stringContaining('INFO')]);
    expect(faults).toEqual([]);
  });
});
