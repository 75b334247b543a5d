import { ConsoleLogger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { McpDefinitionsError } from '@mocapi/core';
import { CannotStartError, createApp, LOG_LEVELS } from '@mocapi/demo';
import { AppModule } from './app.module.js';
import type { NodeSettings } from './node-settings.js';

/** Makes the application of one node. @throws CannotStartError saying why it can't be one: its Redis is away, say */
export async function createNode(settings: NodeSettings): Promise<NestFastifyApplication> {
  const logger = new WithoutBootErrors({ logLevels: LOG_LEVELS });
  try {
    return await createApp(AppModule.forNode(settings), { abortOnError: false, logger });
  } catch (error) {
    throw isFixable(error) ? new CannotStartError(error.message, { cause: error }) : error;
  }
}

/** Leaves out the stack that Nest logs when the boot fails: one sentence reports it instead. */
class WithoutBootErrors extends ConsoleLogger {
  override error(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) !== 'ExceptionHandler') super.error(message, ...rest);
  }
}

/** True for errors whose message tells a person what to fix, false for mistakes in the program. */
function isFixable(error: unknown): error is Error {
  return error instanceof McpDefinitionsError || (error instanceof Error && error.constructor === Error);
}
