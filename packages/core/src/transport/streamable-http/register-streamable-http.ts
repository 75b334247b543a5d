import { isRecord } from '../../protocol/json.js';
import { STATUS_CODES } from 'node:http';
import type { MessageDispatcher } from '../../dispatch/message-dispatcher.js';
import { McpDefinitionsError } from '../../errors/definition-fault.js';
import { ErrorCode } from '../../protocol/vocabulary.js';
import type { McpLimits } from '../../mcp-module-options.js';
import type { LegacyEra } from '../legacy/legacy-parts.js';
import { olderClients } from './older-clients.js';
import { JSON_BOUNDS } from '../../protocol/json.js';
import type { McpTransport } from '../mcp-transport.js';
import { compileRequestCheck, type AllowedCallers, type CheckRequest, stripQueryToken, StrangerLog } from './check-request.js';
import { claimPath, pathTaken } from './claim-path.js';
import { type FastifyInstance, type FastifyReply, sendJson } from './fastify.js';
import { HttpEndpoint } from './http-endpoint.js';
import type { EndpointSettings } from './http-endpoint.js';
import { OpenConnections } from './open-connections.js';
import { refuseExposure } from './exposure.js';
import { Refusals, sendRefusal } from './refusal.js';
import { QUIET_MS, SHUTDOWN_TIMES, type ShutdownTimes } from './closing-notice.js';

/** Parts of a Streamable HTTP endpoint. */
export interface StreamableHttpParts extends AllowedCallers {
  readonly path: string;
  readonly limits?: McpLimits;
  /** How the end of the endpoint goes. @default SHUTDOWN_TIMES */
  readonly shutdown?: ShutdownTimes;
  readonly dispatcher: MessageDispatcher;
  /** Handling of clients of the 2025 revisions. Without it their messages are read as any other. */
  readonly legacy?: LegacyEra;
}

const DEFAULTS = {
  maxBodyBytes: 4 * 1024 * 1024,
  ...JSON_BOUNDS,
  heartbeatMs: 15_000,
  bodyTimeoutMs: 60_000,
  shutdownGraceMs: 1_000,
} satisfies Omit<EndpointSettings, 'shutdown'>;

// JSON has its own parser entry: for a request that only `*` matches, Fastify parses the content type each time.
const BODY_TYPES = ['application/json', '*'];

/**
 * Registers the Streamable HTTP endpoint (MCP transports "Streamable HTTP") on the app's Fastify instance, before it
 * listens: one raw route in its own scope, so that neither its body parsing affects the app's nor the app's affects
 * it. Hooks and headers of the app apply. Closing the app closes the endpoint and ends the app's connections; call
 * `close` to close the endpoint earlier.
 * @throws DefinitionError if the path is taken, or an entry of `allowedHosts` or `allowedOrigins` is malformed
 */
export function registerStreamableHttp(fastify: FastifyInstance, parts: StreamableHttpParts): McpTransport {
  const settings = settle(parts);
  const endpoint = new HttpEndpoint(parts.dispatcher, settings, parts.legacy && olderClients(parts.legacy, parts.dispatcher));
  const check = compileRequestCheck(parts, new StrangerLog(parts.path));
  claimPath(fastify, parts.path);
  if (parts.isProtected === false) refuseExposure(fastify.server, parts.path);
  refuseOtherMethods(fastify, parts.path, check);
  // Not awaited: that would start Fastify's boot. A failure surfaces from `ready` and `listen`.
  void fastify.register(async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(BODY_TYPES, endpoint.bodies.read);
    endConnections(scope, endpoint, settings);
    scope.setErrorHandler((error, _request, reply) => answerHookError(error, reply, parts.dispatcher));
    addRoute(scope, {
      url: parts.path,
      onRequest: (request, reply, next) => {
        const refusal = check(request);
        if (refusal !== undefined) return sendRefusal(reply, refusal);
        if (request.raw.url?.includes('?') === true) stripQueryToken(request);
        next();
      },
      handler: endpoint.handle,
    });
  });
  return endpoint;
}

// Methods that Fastify does not know, such as PROPFIND, reach no route; hooks of the root also run for missing routes.
function refuseOtherMethods(fastify: FastifyInstance, path: string, check: CheckRequest): void {
  fastify.addHook('onRequest', (request, reply, next) => {
    if (!request.is404 || request.method === 'POST' || request.url.replace(/\?.*$/s, '') !== path) return next();
    sendRefusal(reply, check(request) ?? Refusals.MethodNotAllowed);
  });
}

type Route = Parameters<FastifyInstance['route']>[0];

// What `claimPath` could not see: a route that a plugin added while Fastify booted, or one that differs in what this router does not tell apart.
function addRoute(scope: FastifyInstance, route: Omit<Route, 'method' | 'exposeHeadRoute'>): void {
  try {
    scope.route({ ...route, method: scope.supportedMethods, exposeHeadRoute: false });
  } catch (error) {
    if (!isRecord(error) || error.code !== 'FST_ERR_DUPLICATED_ROUTE') throw error;
    throw new McpDefinitionsError([pathTaken(route.url, 'seen while Fastify booted')]);
  }
}

/** Lets no connection, of whichever route, hold up the end of the app: behind the endpoint's last words, each gets the grace at the most. */
function endConnections(scope: FastifyInstance, endpoint: HttpEndpoint, { shutdown, shutdownGraceMs }: EndpointSettings): void {
  const { noticeMs } = shutdown;
  const connections = new OpenConnections();
  connections.watch(scope.server);
  scope.addHook('onListen', async () => {
    for (const server of serversOf(scope)) connections.watch(server);
  });
  scope.addHook('preClose', async () => {
    connections.refuse();
    await endpoint.close();
    await connections.quiet(Math.min(noticeMs, QUIET_MS));
    connections.end(shutdownGraceMs, noticeMs);
  });
  scope.addHook('onClose', async () => connections.over());
}

// Fastify binds one server more for each further address of `localhost`, does not wait for theirs when it closes, and keeps them where only
// its own symbol leads. Without it the app still closes; open connections there then end when their clients end them.
function serversOf(scope: FastifyInstance): readonly FastifyInstance['server'][] {
  for (let level: object | null = scope; level !== null; level = Object.getPrototypeOf(level)) {
    const key = Object.getOwnPropertySymbols(level).find(({ description }) => description === 'fastify.serverBindings');
    if (key) return Reflect.get(level, key) ?? [];
  }
  return [];
}

function settle({ limits = {}, shutdown = SHUTDOWN_TIMES }: StreamableHttpParts): EndpointSettings {
  return {
    ...DEFAULTS,
    shutdown,
    maxBodyBytes: limits.maxBodyBytes ?? DEFAULTS.maxBodyBytes,
    maxJsonDepth: limits.maxJsonDepth ?? DEFAULTS.maxJsonDepth,
    maxJsonObjects: limits.maxJsonObjects ?? DEFAULTS.maxJsonObjects,
    heartbeatMs: limits.heartbeatMs ?? DEFAULTS.heartbeatMs,
  };
}

// Errors of the app's own hooks, and of Fastify before the handler. A status of 4xx stays, with the standard's words for it; anything
// else is masked and logged like every unexpected error.
function answerHookError(error: unknown, reply: FastifyReply, dispatcher: MessageDispatcher): void {
  const status = clientErrorStatus(error);
  if (status === undefined) return sendJson(reply, 500, JSON.stringify(dispatcher.fault(undefined, error).message));
  const body = { jsonrpc: '2.0', error: { code: ErrorCode.InvalidRequest, message: STATUS_CODES[status] ?? 'Bad Request' } };
  sendJson(reply, status, JSON.stringify(body));
}

function clientErrorStatus(error: unknown): number | undefined {
  const statusCode = isRecord(error) ? error.statusCode : undefined;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode <= 499 ? statusCode : undefined;
}
