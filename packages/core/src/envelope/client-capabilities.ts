import { isJsonObject } from '../protocol/json.js';
import type { JsonObject } from '../protocol/json.js';
import type { ClientCapabilities } from '../protocol/official.js';

/** How a client may be asked (MCP client/elicitation "Capabilities"). */
export type ElicitationMode = 'form' | 'url';

/**
 * Whether the client declared extension `id` on this request: its value is an object, whatever it contains (MCP basic
 * "Extensions"). Every decision that depends on an extension uses this predicate.
 */
export function declaresExtension(capabilities: ClientCapabilities, id: string): boolean {
  const { extensions }: { readonly extensions?: unknown } = capabilities;
  return isJsonObject(extensions) && Object.hasOwn(extensions, id) && isJsonObject(extensions[id]);
}

/** Whether the client declared a capability by its top-level name, such as `sampling`. */
export function declaresCapability(capabilities: ClientCapabilities, name: string): boolean {
  return Object.hasOwn(capabilities, name) && isJsonObject(Reflect.get(capabilities, name));
}

/**
 * Whether the client can be asked in this mode. `elicitation: {}` means form only; `{ url: {} }` does not include
 * form.
 */
export function supportsElicitation(capabilities: ClientCapabilities, mode: ElicitationMode): boolean {
  const { elicitation }: { readonly elicitation?: unknown } = capabilities;
  if (!isJsonObject(elicitation)) return false;
  if (Object.hasOwn(elicitation, mode)) return isJsonObject(elicitation[mode]);
  return mode === 'form' && !Object.hasOwn(elicitation, 'url');
}

/**
 * The part of `required` that the client did not declare, for `data.requiredCapabilities` of `-32021`; undefined when
 * nothing is missing. A member counts as declared when it is there as an object and so is every member that `required`
 * names inside it.
 */
export function missingCapabilities(capabilities: ClientCapabilities, required: ClientCapabilities): ClientCapabilities | undefined {
  const missing = missingMembers(capabilities, required);
  // `elicitation: {}` declares the form mode without naming it.
  const elicitation = missing?.elicitation;
  if (isJsonObject(elicitation) && Object.hasOwn(elicitation, 'form') && supportsElicitation(capabilities, 'form')) {
    delete elicitation.form;
    if (Object.keys(elicitation).length === 0) delete missing?.elicitation;
  }
  return missing === undefined || Object.keys(missing).length === 0 ? undefined : missing;
}

function missingMembers(declared: object, required: object): JsonObject | undefined {
  let missing: JsonObject | undefined;
  for (const [name, wanted] of Object.entries(required)) {
    if (!isJsonObject(wanted)) continue;
    const given: unknown = Object.hasOwn(declared, name) ? Reflect.get(declared, name) : undefined;
    const lack = isJsonObject(given) ? missingMembers(given, wanted) : wanted;
    if (lack !== undefined) (missing ??= {})[name] = lack;
  }
  return missing;
}
