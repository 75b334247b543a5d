import type { ContentBlock } from '../protocol/official.js';
import { misfitText, type Shape } from '../protocol/shapes/shape.js';

const SHARED = ['type', 'annotations', '_meta'];

/** The members that a block of each type may have. */
const MEMBERS = new Map(
  Object.entries({
    text: ['text'],
    image: ['data', 'mimeType'],
    audio: ['data', 'mimeType'],
    resource_link: ['uri', 'name', 'title', 'description', 'mimeType', 'size', 'icons'],
    resource: ['resource'],
  }).map(([type, own]) => [type, new Set([...SHARED, ...own])]),
);

/**
 * Whether `value` is meant as one of the content blocks of the revision (MCP server/tools "Tool result"): its type is known, and it has no member that
 * such a block does not have. Whether it conforms is another question. Anything else is data of the author's own.
 */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (typeof value !== 'object' || value === null) return false;
  const known = MEMBERS.get((value as { type?: unknown }).type as string);
  return known !== undefined && hasOnly(value, known);
}

/** Whether every member of `value` is a known one. Members that are undefined do not count: JSON leaves them out. */
export function hasOnly(value: object, known: ReadonlySet<string>): boolean {
  for (const key of Object.keys(value)) {
    if (!known.has(key) && (value as Record<string, unknown>)[key] !== undefined) return false;
  }
  return true;
}

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
