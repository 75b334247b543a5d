import { misfitText, type Shape } from '../protocol/shapes/shape.js';

/** A result that its author made and the revision does not allow. Its text names the handler and the place, for the log. */
export class NonconformingResultError extends TypeError {
  override readonly name = 'NonconformingResultError';
}

/** The value, if it is of the shape. @throws NonconformingResultError */
export function conforming<T>(value: T, shape: Shape, where: string): T {
  const found = shape(value);
  if (found === undefined) return value;
  throw new NonconformingResultError(`The result of ${where} does not conform to the protocol: ${misfitText(found, 'result')}`);
}
