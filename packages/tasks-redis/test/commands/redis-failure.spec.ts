import { failureOf } from '../../src/commands/redis-failure.js';
import { RedisTimeoutError } from '../../src/connection/deadline-queue.js';

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });

describe('failureOf', () => {
  it.each([
    ['full', "OOM command not allowed when used memory > 'maxmemory'. script: 0a, on @user_script:61."],
    ['full', "ERR Error running script (call to f_0a): @user_script:61: -OOM command not allowed when used memory > 'maxmemory'."],
    ['passing', "READONLY You can't write against a read only replica. script: 0a, on @user_script:61."],
    ['passing', "ERR Error running script (call to f_0a): @user_script:61: -READONLY You can't write against a read only replica."],
    ['passing', 'NOREPLICAS Not enough good replicas to write.'],
    ['passing', 'LOADING Redis is loading the dataset in memory'],
    ['passing', 'MISCONF Redis is configured to save RDB snapshots'],
    ['passing', 'CLUSTERDOWN The cluster is down'],
    ['refused', 'WRONGTYPE Operation against a key holding the wrong kind of value'],
    ['refused', "NOPERM this user has no permissions to run the 'evalsha' command"],
    ['refused', 'ERR unknown command'],
  ])('takes for %s: %s', (kind, message) => {
    expect(failureOf(reply(message))).toBe(kind);
  });

  it('takes what came from no server for lost, unless it was never sent or is a fault of the caller', () => {
    expect(failureOf(new RedisTimeoutError(5))).toBe('lost');
    expect(failureOf(new Error('Connection is closed.'))).toBe('lost');
    expect(failureOf(new Error("Stream isn't writeable and enableOfflineQueue options is false"))).toBe('unsent');
    expect(failureOf(new TypeError('Invalid argument type'))).toBe('refused');
  });
});
