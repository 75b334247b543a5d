import { standInRequest } from '../../dispatch/stand-in-request.js';
import type { RequestMessage } from '../../protocol/messages.js';

/**
 * The request that guards, `@Inject(REQUEST)` and parameter decorators see on stdio, in the shape of an HTTP one: there
 * are no headers (MCP transports "stdio"), and the client is a process of this machine.
 */
export function stdioRequest(path: string, body: RequestMessage): object {
  const head = { method: 'POST', url: path, headers: {} };
  return standInRequest({ ...head, body, query: {}, params: {}, ip: '127.0.0.1', raw: { ...head, headers: {}, rawHeaders: [] } });
}
