import type { ResourceDefinition } from './handler-definition.js';
import { HandlerRegistry } from './handler-registry.js';

/** The server's resources, by URI, character by character (MCP server/resources). */
export class ResourceRegistry extends HandlerRegistry<ResourceDefinition> {
  override keyOf({ descriptor }: ResourceDefinition): string {
    return descriptor.uri;
  }
}
