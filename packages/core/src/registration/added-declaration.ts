import type { HandlerDeclaration } from '../decorators/handler-metadata.js';
import type { JsonObject } from '../protocol/json.js';
import { UriTemplate } from '../uri-template/uri-template.js';
import type { PromptRegistration, ResourceRegistration, ResourceTemplateRegistration, ToolRegistration } from './registrations.js';

/** A registration of any kind, with the types of its arguments forgotten. */
export type AnyRegistration = (
  ToolRegistration<never> | PromptRegistration<never> | ResourceRegistration | ResourceTemplateRegistration<never>
) & { readonly inputSchema?: unknown };

const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {}, additionalProperties: false };
const DECORATORS = {
  tool: '@McpTool',
  prompt: '@McpPrompt',
  resource: '@McpResource',
  'resource-template': '@McpResourceTemplate',
} as const;

/** The declaration that the decorator of the kind would make for the handler. */
export function addedDeclaration(kind: HandlerDeclaration['kind'], registration: AnyRegistration): HandlerDeclaration {
  const { handler: _handler, guards: _guards, decorators: _decorators, ...options } = registration;
  const inputSchema = kind === 'resource' ? {} : { inputSchema: registration.inputSchema ?? defaultSchema(kind, options) };
  return { kind, decorator: DECORATORS[kind], options: { ...options, ...inputSchema } } as HandlerDeclaration;
}

function defaultSchema(kind: HandlerDeclaration['kind'], options: object): JsonObject {
  if (kind !== 'resource-template') return NO_ARGUMENTS;
  const names = variablesOf((options as { uriTemplate: string }).uriTemplate);
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
}

// What is no template is reported with everything else that is wrong with the handler.
function variablesOf(uriTemplate: string): readonly string[] {
  try {
    return new UriTemplate(uriTemplate).variables;
  } catch {
    return [];
  }
}
