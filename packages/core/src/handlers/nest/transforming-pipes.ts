import { AsyncLocalStorage } from 'node:async_hooks';
import { ValidationPipe, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import type { ExternalContextCreator } from '@nestjs/core';
import { partsOf, withParts } from './nest-internals.js';

/** The property by which a `ValidationPipe` knows whether to return the instance. */
const TRANSFORMS = 'isTransformEnabled';

/** Set while a pipe works for a handler. */
const forHandler = new AsyncLocalStorage<true>();

/**
 * A creator whose handlers get from each `ValidationPipe` the instance that it has validated, whatever its `transform` says: a handler's DTO is always an
 * instance of its class, and made only once. For routes, which use the same pipes, nothing changes.
 */
export function withTransformingPipes(creator: ExternalContextCreator): ExternalContextCreator {
  const pipes = partsOf(creator).pipesContextCreator;
  const transforming = Object.create(pipes, {
    createConcreteContext: {
      value(this: typeof pipes, ...args: Parameters<(typeof pipes)['createConcreteContext']>): PipeTransform[] {
        return pipes.createConcreteContext.apply(this, args).map(transformingPipe);
      },
    },
  }) as object;
  return withParts(creator, { pipesContextCreator: transforming });
}

function transformingPipe(pipe: PipeTransform): PipeTransform {
  if (!(pipe instanceof ValidationPipe)) return pipe;
  const isChanged = transformForHandlers(pipe);
  return {
    // The pipe itself is called: what stands in its place would not have the private fields of its class.
    transform: (value: unknown, metadata: ArgumentMetadata): unknown => {
      // An argument that may be absent, and is, stays absent: on a route the pipe would validate an empty object in its place.
      if (value === undefined && metadata.type === 'body') return value;
      return isChanged ? forHandler.run(true, () => pipe.transform(value, metadata)) : pipe.transform(value, metadata);
    },
  };
}

/**
 * A pipe that cannot be changed returns the same value as on a route, and the DTO is made of that.
 * @returns whether the pipe must be told that it works for a handler
 */
function transformForHandlers(pipe: ValidationPipe): boolean {
  const own = Object.getOwnPropertyDescriptor(pipe, TRANSFORMS);
  if (own?.get !== undefined) return true;
  if (own?.value !== false || own.configurable !== true) return false;
  let value: unknown = false;
  Object.defineProperty(pipe, TRANSFORMS, {
    get: () => value || forHandler.getStore() === true,
    set(changed: unknown) {
      value = changed;
    },
    enumerable: true,
    configurable: true,
  });
  return true;
}
