import type { JsonObject } from './json.js';

/** One question to the client, as it stands in `inputRequests` (MCP basic "Multi round-trip requests"). */
export interface InputRequest {
  readonly method: string;
  readonly params?: JsonObject;
}

/** Outstanding questions by key. */
export type InputRequests = Readonly<Record<string, InputRequest>>;
