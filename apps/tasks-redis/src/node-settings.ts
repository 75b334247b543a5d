import { CannotStartError, portFrom } from '@mocapi/demo';

/** Settings that one node reads from its environment. */
export interface NodeSettings {
  /** Name for people. */
  readonly name: string;
  /** May hold a password: not to be shown. */
  readonly redisUrl: string;
  /** Prefix of all keys; undefined for the store's own default. */
  readonly keyPrefix: string | undefined;
  /** How long the node may be silent before others take over its tasks, in milliseconds; the default of the tasks module when it is undefined. */
  readonly leaseMs: number | undefined;
  /** 32 bytes in base64, the same on all nodes; undefined when nobody gave one. */
  readonly stateKey: string | undefined;
}

/** With a shorter lease, nodes of a busy machine would be considered dead. */
const LEAST_LEASE_MS = 100;
const LONGEST_LEASE_MS = 86_400_000;

/** How to make a value for `MCP_STATE_KEY`. */
export const NEW_STATE_KEY = "node -p \"require('node:crypto').randomBytes(32).toString('base64')\"";

const NAME = /^[\w.-]{1,40}$/;
const BASE64_OF_32_BYTES = /^[\w+/-]{43}=?$/;

/**
 * Reads NODE_NAME, REDIS_URL, KEY_PREFIX, LEASE_MS and MCP_STATE_KEY, and checks PORT; an empty variable counts as
 * missing.
 * @throws CannotStartError with a line for each mistake, which says how to fix it
 */
export function nodeSettings(env: NodeJS.ProcessEnv): NodeSettings {
  const settings = {
    name: env['NODE_NAME'] || `node-${process.pid}`,
    redisUrl: env['REDIS_URL'] || 'redis://127.0.0.1:6379',
    keyPrefix: env['KEY_PREFIX'] || undefined,
    leaseMs: env['LEASE_MS'] ? Number(env['LEASE_MS']) : undefined,
    stateKey: env['MCP_STATE_KEY'] || undefined,
  };
  const faults = faultsOf(settings, env);
  if (faults.length > 0) throw new CannotStartError(faults.join('\n'));
  return settings;
}

function faultsOf({ name, redisUrl, leaseMs, stateKey }: NodeSettings, env: NodeJS.ProcessEnv): string[] {
  const faults: string[] = [];
  if (!NAME.test(name)) faults.push('NODE_NAME must be 1 to 40 letters, digits and . _ -, for example NODE_NAME=node-a');
  // The value may hold a password, so it is not repeated; nor is the key.
  if (!isRedisUrl(redisUrl))
    faults.push('REDIS_URL is not the address of a Redis; write redis://host:port, or rediss://host:port for TLS.');
  if (leaseMs !== undefined && !isLease(leaseMs))
    faults.push(
      `LEASE_MS is "${env['LEASE_MS']}"; it must be a whole number of milliseconds from ${LEAST_LEASE_MS} to ${LONGEST_LEASE_MS}.`,
    );
  if (stateKey !== undefined && !BASE64_OF_32_BYTES.test(stateKey))
    faults.push(`MCP_STATE_KEY is not the base64 of 32 bytes. Create one and set it on all nodes: ${NEW_STATE_KEY}`);
  return [...faults, ...portFaults(env)];
}

/** Whoever opens the port says it in the same words, but only once Redis is there. */
function portFaults({ PORT }: NodeJS.ProcessEnv): string[] {
  try {
    portFrom(PORT || '0');
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

function isLease(ms: number): boolean {
  return Number.isInteger(ms) && ms >= LEAST_LEASE_MS && ms <= LONGEST_LEASE_MS;
}

function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return ['redis:', 'rediss:'].includes(protocol) && hostname !== '';
}
