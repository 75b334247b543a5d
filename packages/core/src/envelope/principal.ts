import type { JsonObject } from '../protocol/json.js';

/** Who is calling, as the deployment established it. Never a token. */
export interface McpPrincipal {
  /** Stable and unique among callers. */
  readonly id: string;
  /** Further data that may be stored with a task; an allow-list, never a credential. */
  readonly claims?: JsonObject;
}
