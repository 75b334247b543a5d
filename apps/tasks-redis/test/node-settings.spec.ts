import { CannotStartError } from '@mocapi/demo';
import { nodeSettings } from '../src/node-settings.js';

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('the settings of a node', () => {
  it('are a Redis on this machine, and the defaults of the modules, unless the environment says otherwise', () => {
    const defaults = { redisUrl: 'redis://127.0.0.1:6379', keyPrefix: undefined, leaseMs: undefined, stateKey: undefined };
    expect(nodeSettings({})).toEqual({ ...defaults, name: `node-${process.pid}` });
    expect(nodeSettings({ NODE_NAME: '', REDIS_URL: '', KEY_PREFIX: '', LEASE_MS: '', MCP_STATE_KEY: '' })).toMatchObject(defaults);
  });

  it('are what the environment says', () => {
    const env = { NODE_NAME: 'a', REDIS_URL: 'rediss://u:p@h:1/2', KEY_PREFIX: 'p:', LEASE_MS: '2000', MCP_STATE_KEY: KEY };
    expect(nodeSettings(env)).toEqual({ name: 'a', redisUrl: 'rediss://u:p@h:1/2', keyPrefix: 'p:', leaseMs: 2000, stateKey: KEY });
  });

  it.each(['1s', '-1', '0', '99', '1.5', '86400001', 'Infinity', ' '])('refuse LEASE_MS "%s" and say what it has to be', (LEASE_MS) => {
    expect(() => nodeSettings({ LEASE_MS })).toThrow(CannotStartError);
    expect(() => nodeSettings({ LEASE_MS })).toThrow(
      `LEASE_MS is "${LEASE_MS}"; it must be a whole number of milliseconds from 100 to 86400000.`,
    );
  });

  it.each(['secret', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), `${KEY}=`, `${KEY}\n`])(
    'refuse MCP_STATE_KEY %j without repeating it, and say how to make one',
    (MCP_STATE_KEY) => {
      expect(() => nodeSettings({ MCP_STATE_KEY })).toThrow(
        /^MCP_STATE_KEY is not the base64 of 32 bytes\. Create one and set it on all nodes: node -p "[^\n]+"$/,
      );
    },
  );

  it.each(['127.0.0.1:6379', 'http://127.0.0.1', 'redis:', 'nonsense s3cret'])(
    'refuse REDIS_URL "%s" without repeating it',
    (REDIS_URL) => {
      expect(() => nodeSettings({ REDIS_URL })).toThrow(
        /^REDIS_URL is not the address of a Redis; write redis:\/\/host:port, or rediss:\/\/host:port for TLS\.$/,
      );
    },
  );

  it.each(['a b', 'a\n', 'x'.repeat(41)])('refuse NODE_NAME %j', (NODE_NAME) => {
    expect(() => nodeSettings({ NODE_NAME })).toThrow('NODE_NAME must be 1 to 40 letters, digits and . _ -, for example NODE_NAME=node-a');
  });

  it('list everything that is wrong at once', () => {
    const message = messageOf(() => nodeSettings({ NODE_NAME: '?', REDIS_URL: '?', LEASE_MS: '?', MCP_STATE_KEY: '?', PORT: '?' }));
    expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual(['NODE_NAME', 'REDIS_URL', 'LEASE_MS', 'MCP_STATE_KEY', 'PORT']);
  });
});

function messageOf(fails: () => unknown): string {
  try {
    fails();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It did not fail');
}
