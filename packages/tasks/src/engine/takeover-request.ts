import { standInRequest } from '@mocapi/core/internal';
import type { TaskRecord } from '../record/task-record.js';

/** Nobody called from anywhere, and no list of trusted addresses may hold it. */
const NO_ADDRESS = '0.0.0.0';

/**
 * The request that guards see in a takeover, in which nobody is calling: Fastify's members that guards read, with no header and no query, and the stored
 * principal as `user`.
 * @param path the endpoint's
 */
export function takeoverRequest({ principal }: Pick<TaskRecord, 'principal'>, path: string): object {
  const socket = { remoteAddress: NO_ADDRESS };
  const raw = { method: 'POST', url: path, headers: {}, socket, connection: socket };
  return standInRequest({
    raw,
    socket,
    method: 'POST',
    url: path,
    originalUrl: path,
    headers: {},
    query: {},
    params: {},
    ip: NO_ADDRESS,
    ...(principal ? { user: principal } : {}),
  });
}
