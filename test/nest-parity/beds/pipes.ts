import { ValidationPipe } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { globalPipes, parameterPipes, placedPipes, validationPipes } from '../rows/pipes.js';
import type { Bed } from './bed.js';

const named = (name: string) => [{ ...globalPipes, name: `${globalPipes.name}, ${name}` }];

/** Pipes of classes, methods and parameters. */
const placed: Bed = { name: 'pipes', groups: [validationPipes, placedPipes, parameterPipes] };

const appPipe: Bed = {
  name: 'APP_PIPE',
  groups: named('APP_PIPE'),
  parts: { providers: [{ provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true }) }] },
};

const strict: Bed = {
  name: 'useGlobalPipes',
  groups: named('useGlobalPipes'),
  configure: (app) => app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true })),
};

/** The applications in which pipes are compared. */
export const PIPE_BEDS: readonly Bed[] = [placed, appPipe, strict];
