import type { PipeTransform } from '@nestjs/common';
import { whenReady } from '../../protocol/maybe-promise.js';
import type { CompiledSchema } from '../../schema/compiled-schema.js';
import { isPlainObject } from '../../schema/json-copy.js';
import { InvalidArgumentsError } from '../failure/handler-failure.js';
import { currentPass } from './boundary.interceptor.js';

/**
 * Stands behind the author's pipes and makes the DTO of the parameter, unless one of them has: a `ValidationPipe` that transforms, or a pipe that
 * looks an entity up. So each decorator of the DTO runs once, as on a route.
 * @param name the argument that the parameter takes; undefined: all of them
 * @throws InvalidArgumentsError from its `transform`, when class-validator refuses the DTO, or no pipe has converted a text
 */
export function finishPipe(name: string | undefined): PipeTransform {
  return { transform: (value: unknown) => finishArgument(value, name, currentPass().call.handler.inputSchema) };
}

/** As the pipe does. @throws InvalidArgumentsError when class-validator refuses the DTO, or no pipe has converted a text */
export function finishArgument(
  value: unknown,
  name: string | undefined,
  { converted, dtos }: Pick<CompiledSchema, 'converted' | 'dtos'>,
): unknown {
  const type = name === undefined ? undefined : converted?.get(name);
  if (type !== undefined && typeof value === 'string') throw new InvalidArgumentsError([{ path: name!, message: `must be ${type}` }]);
  const dto = dtos.find((pending) => pending.name === name);
  // What a pipe has made something else of is the pipe's word.
  if (dto === undefined || !isPlainObject(value) || Array.isArray(value) || value instanceof dto.owner) return value;
  return whenReady(dto.finish(value), (made) => {
    if (!made.ok) throw new InvalidArgumentsError(made.issues);
    return made.value;
  });
}
