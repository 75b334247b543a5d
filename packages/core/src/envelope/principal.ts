import type { JsonObject } from '../protocol/json.js';
import { Injectable } from '@nestjs/common';

/** Who is calling, as the deployment established it. Never a token. */
export interface McpPrincipal {
  /** Stable and unique among callers. */
  readonly id: string;
  /** Further data that may be stored with a task; an allow-list, never a credential. */
  readonly claims?: JsonObject;
}

/**
 * Identifies the caller. It runs once per request, after the app's global guards and the endpoint's and before any
 * guard of a class or method, so it may rely on data that those put on the request. To refuse, throw an exception with
 * a 401 or 403.
 */
export abstract class McpPrincipalSource {
  /** @param request what HTTP guards see as the request; undefined as the answer means an anonymous caller */
  abstract resolve(request: object): McpPrincipal | undefined | Promise<McpPrincipal | undefined>;
}

/** The default: everyone is anonymous, and all anonymous callers are one. */
@Injectable()
export class AnonymousPrincipalSource extends McpPrincipalSource {
  resolve(): undefined {
    return undefined;
  }
}
