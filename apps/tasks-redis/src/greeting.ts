import { callOf, curlOf, thingsToTry } from '@mocapi/demo';
import { NEW_STATE_KEY, type NodeSettings } from './node-settings.js';
import { withoutPassword } from './redis-address.js';

/** Greeting of a node that listens: who it is, and lines to paste next. */
export function greeting(
  { name, redisUrl, stateKey }: NodeSettings,
  { url, leaseMs }: { readonly url: string; readonly leaseMs: number },
): string {
  return [
    `${name} keeps its tasks in Redis at ${withoutPassword(redisUrl)}, lease ${leaseMs} ms`,
    ...(stateKey === undefined ? [LONELY] : []),
    '',
    'Ask which node answers:',
    curlOf(url, callOf('where_am_i', {})),
    thingsToTry(url),
  ].join('\n');
}

const LONELY = [
  'WARNING: MCP_STATE_KEY is not set. A call that asks something outside of a task can only be answered on this node, and not after a restart.',
  `Set the same key on all nodes: MCP_STATE_KEY=$(${NEW_STATE_KEY})`,
].join('\n');
