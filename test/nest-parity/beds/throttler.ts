import { APP_GUARD } from '@nestjs/core';
import { Throttle, ThrottlerGuard, ThrottlerModule, ThrottlerStorageService, type ThrottlerStorage } from '@nestjs/throttler';
import { plainRow } from '../rows/guards.js';
import { values } from '../model/row.js';
import { validatingPipe, type Bed } from './bed.js';

/** The package's storage has no way to forget its hits, so each request begins with another. */
let hits = new ThrottlerStorageService();
const storage: ThrottlerStorage = { increment: (...hit) => hits.increment(...hit) };
const limited = (limit: number) => ({ onClass: [Throttle({ default: { limit, ttl: 60_000 } }) as ClassDecorator] });
const inputs = values({ valid: { word: 'a' } });

/** The guard of `@nestjs/throttler` for the whole application. */
export const throttlerBed: Bed = {
  name: 'throttler',
  groups: [
    {
      name: '@nestjs/throttler',
      rows: [
        plainRow('within the limit', inputs, limited(10)),
        plainRow('beyond the limit', inputs, limited(0)),
        plainRow('no limit of its own', inputs),
      ],
    },
  ],
  parts: {
    imports: [ThrottlerModule.forRoot({ throttlers: [{ limit: 10_000, ttl: 60_000 }], storage })],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  },
  reset: () => void (hits = new ThrottlerStorageService()),
  configure: validatingPipe,
};
