import { shapeOf } from './check-addresses.js';
import type { NamedHandler } from './check-names.js';
import type { HandlerDefinition } from './handler-definition.js';

/** What about a handler that is there already must not stand twice. */
export function namedHandler(definition: HandlerDefinition): NamedHandler {
  const { kind, name, where } = definition;
  switch (definition.kind) {
    case 'tool':
    case 'prompt':
      return { kind, name, where };
    case 'resource':
      return { kind, name, where, address: definition.descriptor.uri };
    case 'resource-template': {
      const { uriTemplate } = definition.descriptor;
      return { kind, name, where, address: uriTemplate, shape: shapeOf(uriTemplate) };
    }
  }
}
