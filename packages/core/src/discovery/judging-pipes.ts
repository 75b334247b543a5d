import { ValidationPipe } from '@nestjs/common';
import type { MarkedMethod } from './check-params.js';

/** Nest's metadata key of the pipes of a class or method. */
const PIPES_METADATA = '__pipes__';

/** What of a `ValidationPipe` decides which values it accepts. */
interface PipeSettings {
  readonly expectedType?: unknown;
  readonly validatorOptions?: Readonly<Record<string, unknown>>;
  readonly transformOptions?: Readonly<Record<string, unknown>>;
}

const SETTINGS = ['groups', 'always', 'strictGroups', 'skipMissingProperties', 'skipNullProperties', 'skipUndefinedProperties'];

/**
 * Whether one of the handler's `ValidationPipe`s accepts other values than class-validator does by itself: it validates by groups, passes over what is
 * missing, or converts by TypeScript's types. A route would take what such a pipe takes.
 * @param globals the application's pipes
 */
export function hasJudgingPipe({ classRef, methodName, params }: MarkedMethod, globals: readonly unknown[]): boolean {
  const method = (classRef.prototype as Record<string, object>)[methodName]!;
  const own = [classRef, method].flatMap((target) => (Reflect.getMetadata(PIPES_METADATA, target) ?? []) as unknown[]);
  const ofParams = Object.values(params).flatMap(({ pipes }) => pipes);
  return [...globals, ...own, ...ofParams].some((pipe) => pipe instanceof ValidationPipe && judges(pipe as unknown as PipeSettings));
}

function judges({ expectedType, validatorOptions = {}, transformOptions = {} }: PipeSettings): boolean {
  if (expectedType !== undefined || Object.keys(transformOptions).length > 0) return true;
  return SETTINGS.some((setting) => isSet(validatorOptions[setting]));
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
