import type { ErrorTranslation } from '../../errors/error-translation.js';
import type { EndpointEntrance } from './endpoint-entrance.js';
import type { GuardRefusals } from '../failure/guard-refusals.js';
import type { HandlerFailure } from '../failure/handler-failure.js';
import type { ResponseStandIns } from '../response/response-stand-ins.js';

/** Parts that every execution uses. */
export interface RunParts {
  readonly entrance: EndpointEntrance;
  readonly failure: HandlerFailure;
  readonly translation: ErrorTranslation;
  readonly refusals: GuardRefusals;
  readonly responses: ResponseStandIns;
  /** Receives errors that no client learns of. */
  readonly logger: { warn(line: string, ...details: readonly unknown[]): void; debug(line: string): void };
}
