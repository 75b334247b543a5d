import { Test } from '@nestjs/testing';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { McpBootstrap } from '../../src/boot/bootstrap.js';
import type { Endpoint } from '../../src/boot/endpoint.js';
import { HandlerVisibility } from '../../src/handlers/visibility/handler-visibility.js';
import { EndpointEntrance } from '../../src/handlers/run/endpoint-entrance.js';
import { McpModule } from '../../src/mcp.module.js';
import { EndpointHandle } from '../../src/seams/endpoint-handle.js';

const NOT_STARTED = 'The MCP server has not started yet';

let app: NestFastifyApplication;

beforeEach(async () => {
  const module = await Test.createTestingModule({ imports: [McpModule.forRoot({ name: 'held', version: '1.0.0' })] }).compile();
  app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
});

afterEach(() => app.close());

const part = <T>(token: abstract new (...args: never[]) => T): T => app.get(token, { strict: false });

test('before the boot no part of an endpoint has a rule of its own: each says that the server is not up', () => {
  expect(() => part(McpBootstrap).dispatcher).toThrow(NOT_STARTED);
  expect(() => part(EndpointEntrance).hasGuards).toThrow(NOT_STARTED);
  expect(() => part(HandlerVisibility).hidesSome()).toThrow(NOT_STARTED);
  expect(part(EndpointHandle).published).toBeUndefined();
});

test('an endpoint is published once, whole, and does not change', async () => {
  await app.init();
  const handle = part(EndpointHandle<Endpoint>);
  expect(handle.published).toBe(handle.current);
  expect(Object.isFrozen(handle.current)).toBe(true);
  expect(handle.current).toMatchObject({ path: '/mcp', guards: [], hiding: [], translators: [] });
  expect(() => handle.publish(handle.current)).toThrow('already been published');
});
