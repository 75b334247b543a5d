import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { ready } from './child.js';
import { ECHO_ARGS } from './echo.tools.js';
import { toolName } from './many-tools-name.js';

const count = Number(process.env['BENCH_TOOLS'] ?? 1);

@McpController()
class EchoController {
  @Tool({ name: 'echo_zod', description: 'Echoes a text', parameters: ECHO_ARGS })
  echo(@Payload() { text }: { text: string }): object {
    return { content: [{ type: 'text', text }] };
  }
}

for (let index = 1; index < count; index += 1) {
  const key = `tool${index}`;
  const value = ({ text }: { text: string }) => ({ content: [{ type: 'text', text }] });
  Object.defineProperty(EchoController.prototype, key, { value, writable: true, configurable: true, enumerable: false });
  Payload()(EchoController.prototype, key, 0);
  const tool = Tool({ name: toolName(index), description: 'Echoes a text', parameters: ECHO_ARGS });
  tool(EchoController.prototype, key, Object.getOwnPropertyDescriptor(EchoController.prototype, key));
}

// MCP-Nest as its README shows it, on Fastify.
const mcp = new McpStrategy({ name: 'bench', version: '1.0.0', transports: [new StreamableHttpTransport()] });

@Module({ controllers: [EchoController] })
class PeerModule {}

const app = await NestFactory.create<NestFastifyApplication>(PeerModule, new FastifyAdapter(), { logger: ['fatal', 'error'] });
mcp.setHttpAdapter(app.getHttpAdapter());
app.connectMicroservice({ strategy: mcp });
await app.startAllMicroservices();
await app.listen(0, '127.0.0.1');
ready((app.getHttpServer().address() as AddressInfo).port);
