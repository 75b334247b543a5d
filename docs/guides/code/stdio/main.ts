// #region main
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { McpStdio, stdioLogger } from '@mocapi/core';
import { AppModule } from '../getting-started/app.module.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: stdioLogger() });
app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
await McpStdio.serve(app);
await app.close();
// #endregion main
