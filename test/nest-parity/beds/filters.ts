import { APP_FILTER } from '@nestjs/core';
import { SentryGlobalFilter, SentryModule } from '@sentry/nestjs/setup';
import { CatchEverythingFilter, errors, filters, InheritedFilter, untoldErrors } from '../rows/filters.js';
import type { Group } from '../model/row.js';
import { validatingPipe, type Bed } from './bed.js';

const named = (what: string, group: Group): readonly Group[] => [{ ...group, name: `${what}, ${group.name}` }];

/** The applications in which filters are compared. */
export const FILTER_BEDS: readonly Bed[] = [
  { name: 'filters', groups: [filters, ...named('no filter', errors)], configure: validatingPipe },
  {
    name: 'catch everything',
    groups: named('APP_FILTER that catches everything', untoldErrors),
    parts: { providers: [{ provide: APP_FILTER, useClass: CatchEverythingFilter }] },
    configure: validatingPipe,
  },
  {
    name: 'inherited',
    groups: named('useGlobalFilters of BaseExceptionFilter', errors),
    configure: (app) => {
      app.useGlobalFilters(new InheritedFilter(app.getHttpAdapter()));
      validatingPipe(app);
    },
  },
  {
    name: 'sentry',
    groups: named("Sentry's filter and interceptor", errors),
    parts: { imports: [SentryModule.forRoot()], providers: [{ provide: APP_FILTER, useClass: SentryGlobalFilter }] },
    configure: validatingPipe,
  },
];
