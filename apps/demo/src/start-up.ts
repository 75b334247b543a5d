import type { DynamicModule, LogLevel, NestApplicationOptions, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

/** A reason not to start that the person at the terminal can fix. */
export class CannotStartError extends Error {}

/** Log levels of the demo: problems only. */
export const LOG_LEVELS: LogLevel[] = ['fatal', 'error', 'warn'];

/**
 * Creates the application on Fastify, ready to listen; it logs only problems, and ends cleanly on SIGTERM and SIGINT.
 * With `abortOnError: false` it rejects if it can't be created.
 */
export async function createApp(module: Type | DynamicModule, options: NestApplicationOptions = {}): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: LOG_LEVELS, ...options });
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  // Else the first to do so is `listen`, and what goes wrong would be taken for the port's fault.
  return app.init();
}

/** Runs what starts a program. A {@link CannotStartError} ends the process with its message alone and 1; anything else rejects. */
export async function startOrExplain(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof CannotStartError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
