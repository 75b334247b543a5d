import type { HandlerDeclaration, McpHandlerOptions, McpResourceBaseOptions } from '../decorators/handler-metadata.js';
import { defined, isJsonObject, type JsonObject } from '../protocol/json.js';
import type { Prompt, Resource, ResourceTemplate, Tool } from '../protocol/official.js';
import type { CompiledSchema } from '../schema/compiled-schema.js';
import type { HandlerDefinition } from './handler-definition.js';

/** Input and output schemas of a handler. */
export interface DescribedSchemas {
  readonly inputSchema: CompiledSchema;
  readonly outputSchema?: CompiledSchema;
}

/** Builds the entry of a handler in the list of its kind. */
export function describeHandler(name: string, declaration: HandlerDeclaration, schemas: DescribedSchemas): HandlerDefinition['descriptor'] {
  switch (declaration.kind) {
    case 'tool':
      return {
        ...common(name, declaration.options),
        inputSchema: schemas.inputSchema.json,
        ...defined({ outputSchema: schemas.outputSchema?.json, annotations: declaration.options.annotations }),
      } as Tool;
    case 'prompt': {
      const args = promptArguments(schemas.inputSchema.json);
      return { ...common(name, declaration.options), ...defined({ arguments: args.length > 0 ? args : undefined }) } as Prompt;
    }
    case 'resource': {
      const { uri, size } = declaration.options;
      return { uri, ...content(name, declaration.options), ...defined({ size }) } as Resource;
    }
    case 'resource-template':
      return { uriTemplate: declaration.options.uriTemplate, ...content(name, declaration.options) } as ResourceTemplate;
  }
}

function common(name: string, { title, description, icons, _meta }: McpHandlerOptions): object {
  return { name, ...defined({ title, description, icons, _meta }) };
}

function content(name: string, options: McpResourceBaseOptions): object {
  return { ...common(name, options), ...defined({ mimeType: options.mimeType, annotations: options.annotations }) };
}

/** The arguments of a prompt (MCP server/prompts "Prompt"): what its schema says of each property. */
function promptArguments({ properties, required }: JsonObject): JsonObject[] {
  if (!isJsonObject(properties)) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, schema]) => {
    const { title, description } = isJsonObject(schema) ? schema : {};
    return { name, ...defined({ title, description }), required: needed.has(name) };
  });
}
