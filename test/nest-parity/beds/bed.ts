import { ValidationPipe, type ModuleMetadata } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Group } from '../model/row.js';

/** One application with all the rows that can share it: what is global stands here, everything else in the rows. */
export interface Bed {
  readonly name: string;
  readonly groups: readonly Group[];
  readonly parts?: ModuleMetadata;
  /** Headers that the application lets its enhancers set beside the usual ones. */
  readonly responseHeaders?: readonly string[];
  readonly configure?: (app: NestFastifyApplication) => unknown;
  /** Called before each request, on every carrier: forgets what a guard or cache remembers of the one before. */
  readonly reset?: () => unknown;
}

/** What most applications have. */
export function validatingPipe(app: NestFastifyApplication): void {
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
}
