import { infoOf, type RunningRedisPair, startRedisPair, until } from '@mocapi/redis-harness';

describe('a primary and its replica', () => {
  let pair: RunningRedisPair;

  beforeEach(async () => {
    pair = await startRedisPair();
  }, 30_000);

  afterEach(async () => {
    await pair?.stop();
  });

  it('have the same data once the replica has caught up, and it serves them when it is promoted', async () => {
    const writer = pair.primary.client();
    await Promise.all(Array.from({ length: 500 }, async (_, index) => writer.set(`key-${index}`, 'x'.repeat(1000))));
    await pair.caughtUp();
    const replica = pair.replica.client();
    await expect(replica.dbsize()).resolves.toBe(500);
    await expect(replica.set('new', '1')).rejects.toThrow(/READONLY/);
    await pair.primary.kill();
    await pair.promote();
    await expect(replica.set('new', '1')).resolves.toBe('OK');
    expect((await infoOf(replica, 'replication')).get('role')).toBe('master');
  }, 30_000);

  it('part when the link goes silent: what the primary then acknowledges is on the primary alone', async () => {
    const writer = pair.primary.client();
    await writer.set('early', '1');
    await pair.caughtUp();
    pair.link.silence();
    await expect(writer.set('late', '1')).resolves.toBe('OK');
    await until('the link holds the write up', () => pair.link.heldBytes() > 0);
    await pair.primary.kill();
    await pair.promote();
    await expect(pair.replica.client().mget('early', 'late')).resolves.toEqual(['1', null]);
  }, 30_000);

  it('meet again when the link is restored', async () => {
    const writer = pair.primary.client();
    pair.link.silence();
    await writer.set('late', '1');
    await until('the link holds the write up', () => pair.link.heldBytes() > 0);
    pair.link.restore();
    await pair.caughtUp();
    await expect(pair.replica.client().get('late')).resolves.toBe('1');
  }, 30_000);

  it('part for good when the link is stopped, and the primary knows at once', async () => {
    await expect(pair.link.stop()).resolves.toBe(1);
    const primary = pair.primary.client();
    await until('the primary has no replica', async () => (await infoOf(primary, 'replication')).get('connected_slaves') === '0');
  }, 30_000);
});
