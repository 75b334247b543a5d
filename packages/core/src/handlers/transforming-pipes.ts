import { AsyncLocalStorage } from 'node:async_hooks';
import { ValidationPipe, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import type { ExternalContextCreator } from '@nestjs/core';

/** Nest's own part that gathers the pipes of a handler; it has no public type. */
interface PipesCreator {
  createConcreteContext(...args: readonly unknown[]): PipeTransform[];
}

/** The property by which a `ValidationPipe` knows whether to return the instance. */
const TRANSFORMS = 'isTransformEnabled';

/** Set while a pipe works for a handler. */
const forHandler = new AsyncLocalStorage<true>();

/**
 * A creator whose handlers get from each `ValidationPipe` the instance that it has validated, whatever its `transform` says: a handler's DTO is always an
 * instance of its class, and made only once. For routes, which use the same pipes, nothing changes.
 */
export function withTransformingPipes(creator: ExternalContextCreator): ExternalContextCreator {
  const pipes = (creator as unknown as { pipesContextCreator: PipesCreator }).pipesContextCreator;
  const transforming = Object.create(pipes, {
    createConcreteContext: {
      value(this: PipesCreator, ...args: readonly unknown[]): PipeTransform[] {
        return pipes.createConcreteContext.apply(this, args as never).map(transformingPipe);
      },
    },
  }) as PipesCreator;
  return Object.create(creator, { pipesContextCreator: { value: transforming } }) as ExternalContextCreator;
}

function transformingPipe(pipe: PipeTransform): PipeTransform {
  if (!(pipe instanceof ValidationPipe)) return pipe;
  transformForHandlers(pipe);
  return {
    // The pipe itself is called: what stands in its place would not have the private fields of its class.
    transform: (value: unknown, metadata: ArgumentMetadata): unknown =>
      // An argument that may be absent, and is, stays absent: on a route the pipe would validate an empty object in its place.
      value === undefined && metadata.type === 'body' ? value : forHandler.run(true, () => pipe.transform(value, metadata)),
  };
}

/** A pipe that cannot be changed returns what it returns on a route; the DTO is made of that. */
function transformForHandlers(pipe: ValidationPipe): void {
  const own = Object.getOwnPropertyDescriptor(pipe, TRANSFORMS);
  if (own?.value !== false || own.configurable !== true) return;
  let value: unknown = false;
  Object.defineProperty(pipe, TRANSFORMS, {
    get: () => value || forHandler.getStore() === true,
    set(changed: unknown) {
      value = changed;
    },
    enumerable: true,
    configurable: true,
  });
}
