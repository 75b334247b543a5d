import type { HandlerDefinition } from './handler-definition.js';

/**
 * The key under which a handler keeps the id of an extension without which it cannot be called (`HandlerUnderConstruction.extend`).
 * Clients of older revisions have no extensions: such a tool is not listed for them.
 */
export const REQUIRED_EXTENSION = Symbol('mocapi.requiredExtension');

/** The extension that a handler needs to be called, or undefined. */
export function requiredExtensionOf({ extensions }: HandlerDefinition): string | undefined {
  const id = extensions.get(REQUIRED_EXTENSION);
  return typeof id === 'string' ? id : undefined;
}
