import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ready, type Handlers } from './child.js';

/** Listens on a free loopback port and tells the parent which. */
export async function listenHttp(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ready((server.address() as AddressInfo).port);
}

/** Boots a Nest application on Fastify, without its log, and tells the parent its port. */
export async function listenNest(
  module: Type | DynamicModule,
  handlersOf: (app: NestFastifyApplication) => Handlers = () => ({}),
): Promise<void> {
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: ['fatal', 'error'] });
  await app.listen(0, '127.0.0.1');
  ready((app.getHttpServer().address() as AddressInfo).port, handlersOf(app));
}
