import type { ErrorTranslation } from '../../errors/error-translation.js';
import type { EndpointEntrance } from './endpoint-entrance.js';
import type { GuardRefusals } from '../failure/guard-refusals.js';
import type { HandlerFailure } from '../failure/handler-failure.js';
import type { ResponseStandIns } from '../response/response-stand-ins.js';

/** What every execution uses. */
export interface RunParts {
  readonly entrance: EndpointEntrance;
  readonly failure: HandlerFailure;
  readonly translation: ErrorTranslation;
  readonly refusals: GuardRefusals;
  readonly responses: ResponseStandIns;
  /** Hears what no client is told. */
  readonly logger: { warn(line: string, ...details: readonly unknown[]): void; debug(line: string): void };
}
