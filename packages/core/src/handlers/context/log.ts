import { isLogLevel, LOG_LEVELS, type LogLevel } from '../../protocol/vocabulary.js';
import { toJsonValue } from '../../protocol/to-json-value.js';
import type { CallPass } from '../run/run-pass.js';

/** One log message of an author's, not checked yet. */
export interface LogWords {
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
}

/** Sends a log message where the request asked for its level. Mistakes show whether it did or not, so that they are found before a client asks. */
export function log({ pass }: CallPass, { level, data, logger }: LogWords): void {
  if (!isLogLevel(level)) throw new RangeError(`"${String(level)}" is not a log level; the levels are ${LOG_LEVELS.join(', ')}`);
  const json = toJsonValue(data, 'the data of a log message') ?? null;
  pass.log({ level, data: json, logger });
}
