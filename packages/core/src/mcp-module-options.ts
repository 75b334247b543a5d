import type { CanActivate, DynamicModule, ForwardReference, ModuleMetadata, Provider, Type } from '@nestjs/common';
import type { KeyRing } from './replay/key-ring.js';

/** Options of `McpModule.forRoot`. Only `name` and `version` are required. */
export interface McpModuleOptions {
  /**
   * The server's name in `serverInfo` and `server/discover`. `${KEY}` placeholders are resolved at boot, as in every
   * string option.
   */
  readonly name: string;
  readonly version: string;
  /** The server's display name. */
  readonly title?: string;
  /** Tells the model how to use the server. Don't repeat the descriptions of tools. */
  readonly instructions?: string;
  /** Path of the endpoint. It comes after the app's global prefix, unless the prefix excludes it. @default '/mcp' */
  readonly path?: string;
  /**
   * The version in the endpoint's URI, if the app uses URI versioning.
   * @default none, whatever the app's `defaultVersion` is
   */
  readonly endpointVersion?: string;
  /** Accepted `Host` values, each with or without a port. @default loopback names on any port, only from this machine */
  readonly allowedHosts?: readonly string[];
  /** Accepted `Origin` values: a host name, or scheme://host[:port] exactly. A missing `Origin` is accepted, `null` is not. @default loopback names on any port */
  readonly allowedOrigins?: readonly string[];
  /** Guards of the endpoint. They run for every method, after the app's global guards and before the principal is resolved. */
  readonly guards?: readonly (CanActivate | Type<CanActivate>)[];
  /**
   * `on-purpose` allows other machines to call the endpoint even if nothing checks who is calling. Without it,
   * `app.listen` on an address other than loopback rejects, unless the endpoint has guards, a global guard or an
   * `McpPrincipalSource`.
   * @default none
   */
  readonly exposed?: 'on-purpose';
  readonly limits?: McpLimits;
  /** How often one caller may call, complete, listen and receive progress on one node. */
  readonly rateLimit?: McpRateLimitOptions;
  /** How the endpoint shuts down with its application. */
  readonly shutdown?: McpShutdownOptions;
  /**
   * How to treat clients of the 2025 revisions: `stateless` answers each of their requests with the same tools and
   * guards, without tasks and without asking the client; `reject` answers with the supported revisions.
   * @default 'stateless'
   */
  readonly legacy?: 'stateless' | 'reject';
  /** How answers travel between the rounds of a call that is not a task. */
  readonly requestState?: RequestStateOptions;
  /** Entries per page of a list. @default 50 */
  readonly pageSize?: number;
  /** How long and by whom results may be kept; see `McpCacheOptions`. */
  readonly cache?: McpCacheOptions;
  /**
   * Kinds to advertise even if the application declares no handler of them, for handlers that are added at run time.
   * Declared kinds are always advertised, and so are tools; methods of any other kind are answered with -32601.
   * @default none
   */
  readonly advertise?: readonly ('prompts' | 'resources' | 'completions')[];
  /**
   * Names of headers that guards, interceptors and filters may set on the HTTP response besides the usual ones; a
   * trailing `*` stands for any ending. Headers that frame the answer or begin with `mcp-` are never allowed.
   * @default none besides the usual ones for sign-in, limits, ids and caching
   */
  readonly responseHeaders?: readonly string[];
  /** The code of a guard's denial, in-band. @default 403, outside JSON-RPC's reserved range */
  readonly forbiddenCode?: number;
  /**
   * Sends messages of `ctx.log` to clients whose request asks for them, and advertises that. The revision deprecates
   * it: log to stderr or through OpenTelemetry instead.
   * @default false
   */
  readonly logging?: boolean;
  /** Sends the messages of unexpected errors to the client. For development only. @default false */
  readonly exposeErrorMessages?: boolean;
  /** Whether every result carries `_meta` serverInfo. @default true */
  readonly serverInfo?: boolean;
}

/** Bounds on what a client may send. */
export interface McpLimits {
  /** Bytes of a request body; above it the answer is 413, before parsing. @default 4 MiB */
  readonly maxBodyBytes?: number;
  /** Nesting of a request body; above it the answer is -32600, before parsing. @default 64 */
  readonly maxJsonDepth?: number;
  /** Objects and arrays in a message, over HTTP and on stdio; above it the answer is -32600, before parsing. @default 250000 */
  readonly maxJsonObjects?: number;
  /** Milliseconds between the comment lines that keep a stream open. @default 15000 */
  readonly heartbeatMs?: number;
  /** Characters of a URI in `resources/read`; a longer one is -32602. @default 2048 */
  readonly maxUriLength?: number;
  /** Open `subscriptions/listen` streams of one caller; callers without a principal count as one. Above it the answer is -32603. @default 32 */
  readonly maxListensPerPrincipal?: number;
  /** Open `subscriptions/listen` streams of the process; above it the answer is -32603. @default 1024 */
  readonly maxListens?: number;
  /** Entries of a list in a subscription's filter, such as URIs or task ids, that one stream watches; those beyond it are not acknowledged. @default 1000 */
  readonly maxWatched?: number;
}

/** A caller may send `perSecond` requests in the long run, and `burst` at once after a pause. */
export interface McpRate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * How often one caller may call. Each node counts by itself. A caller is a principal; once `rateLimit` is set, callers without
 * a principal count by their address. Requests beyond the limit get -32603 with `data.retryAfterMs`, and HTTP 429 with
 * `Retry-After`.
 */
export interface McpRateLimitOptions {
  /** `tools/call`, `prompts/get` and `resources/read` together. @default false, because only the application knows how many calls its server can handle */
  readonly calls?: McpRate | false;
  /** `completion/complete`. @default { perSecond: 50, burst: 500 } */
  readonly completions?: McpRate | false;
  /** `subscriptions/listen`. @default { perSecond: 20, burst: 1000 } */
  readonly listens?: McpRate | false;
  /** Notifications of progress and logs of one request. Beyond it the latest progress waits, and logs are dropped. @default { perSecond: 200, burst: 2000 } */
  readonly notifications?: McpRate | false;
  /**
   * Returns a key that tells callers without a principal apart; a caller with undefined is not limited.
   * @default the address of the request, of IPv6 its /64
   */
  readonly keyOf?: (request: object) => string | undefined;
  /** Callers that are remembered. If more come, those that were silent for the longest time are forgotten. @default 10000 */
  readonly maxCallers?: number;
}

/** How an endpoint shuts down. Both times start when the application closes, and run beside the `drain` of tasks. */
export interface McpShutdownOptions {
  /**
   * How long the server still answers new requests, with 503, before it stops listening, because a request that arrives
   * later is lost. It ends sooner if no request comes for 100 ms. ISO-8601 or milliseconds; 0 turns it off.
   * @default 'PT0.5S'
   */
  readonly notice?: string | number;
  /** How long running requests may continue before their `ctx.signal` aborts; 0 aborts it at once. Streams of `subscriptions/listen` end at once. @default 'PT2S' */
  readonly drain?: string | number;
}

/** How long clients may keep results (MCP server/utilities/caching). Clients never keep a result that contains a user's answers. */
export interface McpCacheOptions {
  /** How long lists and `server/discover` may be kept; ISO-8601 or milliseconds, 0: not at all. @default 0 */
  readonly listTtl?: string | number;
  /** How long a read result may be kept, unless the resource sets its own. @default 0 */
  readonly readTtl?: string | number;
  /** `public`: anybody may keep the result, for everybody. Lists that depend on the caller (`McpVisibility`) are always private. @default 'private' */
  readonly scope?: 'public' | 'private';
}

/** The encryption of `requestState`: the token with which the answers so far travel with the client. */
export interface RequestStateOptions {
  /** The first key encrypts, every key decrypts. Default: a random key of this process, with a warning at startup. */
  readonly keys?: KeyRing;
  /** How long a token is valid after it was created; ISO-8601 or milliseconds. @default 'PT10M' */
  readonly ttl?: string | number;
  /** Characters of a token. If answers and steps need more, the call fails with an error that names the largest. @default 65536 */
  readonly maxLength?: number;
}

/** Members of `forRoot` and `forRootAsync` besides the options: how the module is composed. */
export interface McpModuleComposition {
  /** The endpoint's name, in an application that has several. `McpModule.forFeature` and `@McpEndpoint` assign handlers to it. @default 'root' */
  readonly endpoint?: string;
  readonly imports?: readonly (Type | DynamicModule | Promise<DynamicModule> | ForwardReference)[];
  /** Appended to the module's own list: the last provider of a token wins. */
  readonly providers?: readonly Provider[];
}

/** Options of `McpModule.forFeature`: a module's metadata, and the endpoint to which it belongs. */
export interface McpFeatureOptions {
  readonly endpoint: string;
  readonly imports?: McpModuleComposition['imports'];
  /** Classes with handlers, seams, and what they need. */
  readonly providers?: readonly Provider[];
  readonly controllers?: readonly Type[];
  readonly exports?: ModuleMetadata['exports'];
}
