import { APP_GUARD } from '@nestjs/core';
import { guards, plainRow, tokenInputs, APP_GUARDS } from '../rows/guards.js';
import { interceptors } from '../rows/interceptors.js';
import { clsBed } from './nestjs-cls.js';
import { keycloakBed } from './nest-keycloak-connect.js';
import { passportBed } from './passport.js';
import { throttlerBed } from './throttler.js';
import { validatingPipe, type Bed } from './bed.js';

const ofTheApplication = Object.entries(APP_GUARDS).map(([name, useClass]) => ({
  name: `APP_GUARD ${name}`,
  groups: [{ name: `APP_GUARD, ${name}`, rows: [plainRow('a handler', tokenInputs)] }],
  parts: { providers: [{ provide: APP_GUARD, useClass }] },
  configure: validatingPipe,
}));

/** The applications in which guards and interceptors are compared. */
export const GUARD_BEDS: readonly Bed[] = [
  {
    name: 'enhancers',
    groups: [guards, interceptors],
    responseHeaders: ['x-request-cost', 'x-row-count'],
    configure: validatingPipe,
  },
  ...ofTheApplication,
  throttlerBed,
  passportBed,
  keycloakBed,
  clsBed,
];
