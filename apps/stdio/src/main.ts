import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { McpStdio, stdioLogger } from '@mocapi/core';
import { AppModule } from './app.module.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: stdioLogger(['fatal', 'error', 'warn']) });
app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
await McpStdio.serve(app);
await app.close();
