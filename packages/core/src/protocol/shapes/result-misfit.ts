import { resultShape } from './results.js';
import { misfitText, type Shape } from './shape.js';

const shapes = new Map<string, Shape>();

/** Why `result` is not what `method` may answer, by the revision's shape, for a log; undefined when it is. For carriers beside the request, such as tasks. */
export function resultMisfit(method: string, result: unknown): string | undefined {
  const shape = shapes.get(method) ?? resultShape(method);
  shapes.set(method, shape);
  return misfitText(shape(result), 'result');
}
