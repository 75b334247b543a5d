import { STATUS_CODES } from 'node:http';
import type { MessageDispatcher } from '../../dispatch/message-dispatcher.js';
import { ErrorCode } from '../../protocol/error-codes.js';
import type { McpLimits } from '../../mcp-module-options.js';
import type { McpTransport } from '../mcp-transport.js';
import { compileRequestCheck } from './check-request.js';
import type { AllowedCallers } from './check-request.js';
import type { FastifyInstance, FastifyReply } from './fastify-types.js';
import { HttpEndpoint } from './http-endpoint.js';
import type { EndpointSettings } from './http-endpoint.js';
import { sendRefusal } from './refusal.js';
import { sendJson } from './send-json.js';

/** What a Streamable HTTP endpoint is made of. */
export interface StreamableHttpParts extends AllowedCallers {
  readonly path: string;
  readonly limits?: McpLimits;
  readonly dispatcher: MessageDispatcher;
}

const DEFAULTS: EndpointSettings = {
  maxBodyBytes: 1024 * 1024,
  maxJsonDepth: 64,
  heartbeatMs: 15_000,
  bodyTimeoutMs: 60_000,
  shutdownGraceMs: 1_000,
};

/**
 * Puts the Streamable HTTP endpoint (MCP transports "Streamable HTTP") on the app's Fastify instance, before it listens: one raw route in a
 * scope of its own, so that neither its body parsing touches the app's nor the app's touches it. Hooks and headers of the app apply.
 * Closing the app closes the endpoint; whoever wants it closed earlier calls `close`.
 *
 * @throws DefinitionError when an entry of `allowedHosts` or `allowedOrigins` is malformed
 */
export function registerStreamableHttp(fastify: FastifyInstance, parts: StreamableHttpParts): McpTransport {
  const endpoint = new HttpEndpoint(parts.dispatcher, settle(parts.limits));
  const check = compileRequestCheck(parts);
  // Not awaited: that would start Fastify's boot. A failure surfaces from `ready` and `listen`.
  void fastify.register(async (scope: FastifyInstance) => {
    readRawBodies(scope, endpoint);
    scope.addHook('preClose', async () => endpoint.close());
    scope.setErrorHandler((error, _request, reply) => answerHookError(error, reply, parts.dispatcher));
    scope.route({
      url: parts.path,
      method: scope.supportedMethods,
      exposeHeadRoute: false,
      onRequest: (request, reply, next) => {
        const refusal = check(request);
        if (refusal === undefined) next();
        else sendRefusal(reply, refusal);
      },
      handler: (request, reply) => endpoint.handle(request, reply),
    });
  });
  return endpoint;
}

function settle(limits: McpLimits = {}): EndpointSettings {
  return {
    ...DEFAULTS,
    maxBodyBytes: limits.maxBodyBytes ?? DEFAULTS.maxBodyBytes,
    maxJsonDepth: limits.maxJsonDepth ?? DEFAULTS.maxJsonDepth,
    heartbeatMs: limits.heartbeatMs ?? DEFAULTS.heartbeatMs,
  };
}

function readRawBodies(scope: FastifyInstance, endpoint: HttpEndpoint): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request, payload, done) => {
    endpoint.bodies.read(payload, Number(request.headers['content-length']), (body) => {
      if (body !== undefined) done(null, body);
    });
  });
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
  if (typeof error !== 'object' || error === null) return undefined;
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode <= 499 ? statusCode : undefined;
}
