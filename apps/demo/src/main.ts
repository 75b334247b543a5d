import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { CannotListenError, listen, reachable } from './listen.js';
import { thingsToTry } from './things-to-try.js';

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: ['fatal', 'error', 'warn'] });
app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
try {
  const url = `${await listen(app, process.env)}/mcp`;
  console.log(`listening on ${url}\n\n${thingsToTry(reachable(url))}`);
} catch (error) {
  if (!(error instanceof CannotListenError)) throw error;
  console.error(error.message);
  process.exit(1);
}
