import { negotiateVersion } from '../envelope/negotiate-version.js';
import { Header, PROTOCOL_VERSION } from '../protocol/vocabulary.js';
import { isJsonObject } from '../protocol/json.js';
import type { NotificationMessage } from '../protocol/messages.js';
import { PROTOCOL_VERSION_META_KEY } from '../protocol/official.js';
import type { RoutingHeaders } from './exchange.js';
import { checkMethodHeader, checkRevisionHeader } from './routing-headers.js';

/**
 * Checks the headers of a posted notification (MCP transports "Protocol version header"). The revision does not say
 * which of them are required, so none is; those that are present must agree with the body and name a supported
 * revision. Those of older clients are dropped.
 * @throws McpError -32020 or -32022
 */
export function checkNotificationHeaders({ method, params }: NotificationMessage, headers: RoutingHeaders): void {
  const inHeader = headers[Header.ProtocolVersion];
  const meta = isJsonObject(params?._meta) ? params._meta : {};
  const inBody = meta[PROTOCOL_VERSION_META_KEY];
  if (inHeader !== undefined && typeof inBody === 'string') checkRevisionHeader(headers, inBody);
  const revision = typeof inBody === 'string' ? inBody : inHeader;
  if (typeof revision === 'string' && !isOlder(revision)) negotiateVersion(revision.trim());
  if (headers[Header.Method] !== undefined) checkMethodHeader(headers, method);
}

/** Revisions are dates, so that they compare as text. */
function isOlder(revision: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(revision) && revision < PROTOCOL_VERSION;
}
