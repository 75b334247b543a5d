import type { JsonObject } from '../protocol/json.js';
import { walkSchema } from './schema-walk.js';

/**
 * Moves a schema inside another one: `#/$defs/X` becomes `#<pointer>/$defs/X`. References below their own `$id` are
 * left alone, and so are anchors: both mean the same everywhere.
 * @returns a copy, without `$schema`, which belongs at the root only
 */
export function relocateReferences(json: JsonObject, pointer: string): JsonObject {
  const copy = structuredClone(json);
  delete copy['$schema'];
  if (copy['$id'] !== undefined) return copy;
  for (const { schema, resource } of walkSchema(copy)) {
    if (resource !== copy) continue;
    for (const keyword of ['$ref', '$dynamicRef']) {
      const target = schema[keyword];
      if (target === '#') schema[keyword] = `#${pointer}`;
      else if (typeof target === 'string' && target.startsWith('#/')) schema[keyword] = `#${pointer}${target.slice(1)}`;
    }
  }
  return copy;
}
