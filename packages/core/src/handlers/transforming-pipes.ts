import { ValidationPipe, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import type { ExternalContextCreator } from '@nestjs/core';

/** Nest's own part that gathers the pipes of a handler; it has no public type. */
interface PipesCreator {
  createConcreteContext(...args: readonly unknown[]): PipeTransform[];
}

/**
 * A creator whose handlers get from each `ValidationPipe` the instance that it has validated, whatever its `transform` says: a handler's DTO is always an
 * instance of its class, and made only once. The pipes themselves, which routes use as well, are not changed.
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
  return Object.create(pipe, {
    isTransformEnabled: { value: true },
    // An argument that may be absent, and is, stays absent: on a route the pipe would validate an empty object in its place.
    transform: {
      value(this: ValidationPipe, value: unknown, metadata: ArgumentMetadata): unknown {
        return value === undefined && metadata.type === 'body' ? value : pipe.transform.call(this, value, metadata);
      },
    },
  }) as PipeTransform;
}
