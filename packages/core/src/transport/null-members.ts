import { isJsonObject, type JsonObject, type JsonValue } from '../protocol/json.js';

/** Optional members of `params` for which `null` has no meaning. */
const OPTIONAL = ['_meta', 'cursor', 'arguments', 'context', 'inputResponses', 'requestState'] as const;

/**
 * Removes the `null`s that some clients write instead of leaving out an optional member: `params`, its optional
 * members, and everything in `_meta`. A value that has just been parsed is changed in place, and so is each message of
 * a batch. Arguments are not changed: a `null` there belongs to the application.
 */
export function dropNullMembers(value: JsonValue): void {
  if (Array.isArray(value)) return value.forEach(dropFromMessage);
  dropFromMessage(value);
}

function dropFromMessage(message: JsonValue): void {
  if (!isJsonObject(message) || message.params === undefined) return;
  const { params } = message;
  if (params === null) delete message.params;
  if (!isJsonObject(params)) return;
  dropNulls(params, OPTIONAL);
  if (isJsonObject(params._meta)) dropNulls(params._meta, Object.keys(params._meta));
  if (isJsonObject(params.context)) dropNulls(params.context, ['arguments']);
}

function dropNulls(object: JsonObject, names: readonly string[]): void {
  for (const name of names) if (object[name] === null) delete object[name];
}
