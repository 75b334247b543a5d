import type { CanActivate, DynamicModule, ForwardReference, Provider, Type } from '@nestjs/common';
import type { KeyRing } from './replay/key-ring.js';

/** What `McpModule.forRoot` takes. Only `name` and `version` are required. */
export interface McpModuleOptions {
  /** The server's name, as `serverInfo` and `server/discover` tell it. `${KEY}` placeholders are resolved at boot, as in every string option. */
  readonly name: string;
  readonly version: string;
  /** For people to read. */
  readonly title?: string;
  /** Helps the model use the server; does not repeat tool descriptions. */
  readonly instructions?: string;
  /** Path of the endpoint. @default '/mcp' */
  readonly path?: string;
  /** `Host` values accepted, with or without port. @default loopback names on any port */
  readonly allowedHosts?: readonly string[];
  /** `Origin` values accepted: a host name, or scheme://host[:port] exactly. @default loopback names on any port; an absent Origin passes, `null` does not */
  readonly allowedOrigins?: readonly string[];
  /** Guards of the endpoint: run after the app's global guards and before the principal is settled, for every method. */
  readonly guards?: readonly (CanActivate | Type<CanActivate>)[];
  readonly limits?: McpLimits;
  /** How answers travel between the rounds of a call that is not a task. */
  readonly requestState?: RequestStateOptions;
  /** Entries per page of a list. @default 50 */
  readonly pageSize?: number;
  /** The code of a guard's denial, in-band. @default 403, outside JSON-RPC's reserved range */
  readonly forbiddenCode?: number;
  /** Sends the messages of unexpected errors to the client. For development only. @default false */
  readonly exposeErrorMessages?: boolean;
  /** Whether every result carries `_meta` serverInfo. @default true */
  readonly serverInfo?: boolean;
}

/** Bounds on what a client may send. */
export interface McpLimits {
  /** Bytes of a request body; above it the answer is 413, before parsing. @default 1 MiB */
  readonly maxBodyBytes?: number;
  /** Nesting of a request body; above it the answer is -32600, before parsing. @default 64 */
  readonly maxJsonDepth?: number;
  /** Milliseconds between the comment lines that keep a stream open. @default 15000 */
  readonly heartbeatMs?: number;
}

/** Sealing of `requestState`. */
export interface RequestStateOptions {
  /** The first key seals; all of them open. Default: a random key of this process, with a warning at boot. */
  readonly keys?: KeyRing;
  /** How long a token may be answered after it was minted; ISO-8601 or milliseconds. @default 'PT10M' */
  readonly ttl?: string | number;
  /** Characters of a token; a ledger that outgrows it is an error naming its largest step. @default 65536 */
  readonly maxLength?: number;
}

/** What `forRoot` and `forRootAsync` take beside the options: how the module is composed. */
export interface McpModuleComposition {
  readonly imports?: readonly (Type | DynamicModule | Promise<DynamicModule> | ForwardReference)[];
  /** Appended to the module's own list: the last provider of a token wins. */
  readonly providers?: readonly Provider[];
}
