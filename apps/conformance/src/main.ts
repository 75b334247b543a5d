import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: ['fatal', 'error', 'warn'] });
app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
await app.listen(Number(process.env['PORT'] || 3000), process.env['HOST'] || '127.0.0.1');
console.log(`listening on ${await app.getUrl()}/mcp`);
