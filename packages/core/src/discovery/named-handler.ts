import { shapeOf } from './check-addresses.js';
import type { NamedHandler } from './check-names.js';
import type { HandlerDefinition } from './handler-definition.js';

/** The keys of an existing handler that no other handler may have. */
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
