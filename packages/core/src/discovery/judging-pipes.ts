import { NestKey, enhancersOn, methodOf } from '../nest/metadata.js';
import { ValidationPipe } from '@nestjs/common';
import type { MarkedMethod } from './check-params.js';

/** The pipes around a handler beside those that its metadata names. */
export interface PipesInForce {
  /** The application's pipes: instances, and the classes of those that are made per request. */
  readonly globalPipes: readonly unknown[];
  /** The instance that runs for a pipe given as a class; the class itself when it is made per request. */
  readonly pipeInForce: (pipe: unknown) => unknown;
}

/** The settings of a `ValidationPipe` that decide which values it accepts, besides its expected type and its options of transformation. */
const SETTINGS = ['groups', 'always', 'strictGroups', 'skipMissingProperties', 'skipNullProperties', 'skipUndefinedProperties'];

/** The methods by which a `ValidationPipe` judges; the others only word its errors. */
const JUDGING_METHODS = ['transform', 'validate', 'toValidate'] as const;

/**
 * Whether one of the handler's `ValidationPipe`s accepts other values than class-validator does by itself: it
 * validates by groups, skips missing properties, converts by TypeScript's types, or is a subclass with its own methods
 * of validation. A route would accept what such a pipe accepts.
 */
export function hasJudgingPipe(handler: MarkedMethod, { globalPipes, pipeInForce }: PipesInForce): boolean {
  const own = [handler.classRef, methodOf(handler)].flatMap((target) => enhancersOn(target, NestKey.Pipes));
  const ofParams = Object.values(handler.params).flatMap(({ pipes }) => pipes ?? []);
  return [...globalPipes, ...[...own, ...ofParams].map(pipeInForce)].some(judges);
}

function judges(pipe: unknown): boolean {
  // Only its constructor could tell the settings of a subclass that is made per request.
  if (typeof pipe === 'function') return pipe.prototype instanceof ValidationPipe;
  return pipe instanceof ValidationPipe && (judgesBySettings(pipe) || judgesByMethods(pipe));
}

function judgesBySettings(pipe: object): boolean {
  const expectedType: unknown = Reflect.get(pipe, 'expectedType');
  const validatorOptions: Readonly<Record<string, unknown>> = Reflect.get(pipe, 'validatorOptions') ?? {};
  const transformOptions: object = Reflect.get(pipe, 'transformOptions') ?? {};
  if (expectedType !== undefined || Object.keys(transformOptions).length > 0) return true;
  return SETTINGS.some((setting) => isSet(validatorOptions[setting]));
}

function judgesByMethods(pipe: object): boolean {
  return JUDGING_METHODS.some((name) => Reflect.get(pipe, name) !== Reflect.get(ValidationPipe.prototype, name));
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
