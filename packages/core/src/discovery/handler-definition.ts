import type { Prompt, Resource, ResourceTemplate, Tool } from '../protocol/official.js';
import type { CompiledSchema } from '../schema/compiled-schema.js';
import type { ParamHeader } from './param-headers.js';

/** A handler as the server knows it after boot, of whichever kind; frozen. */
interface DefinitionBase {
  /** As lists show it and errors name it. */
  readonly name: string;
  /** The schema of its arguments: a tool's, a prompt's, or the variables of a template. */
  readonly inputSchema: CompiledSchema;
  /** The author's class and method, as errors name them. */
  readonly where: string;
  /** Data that extensions keep about the handler, under their own keys. */
  readonly extensions: ReadonlyMap<unknown, unknown>;
}

/** A tool. */
export interface ToolDefinition extends DefinitionBase {
  readonly kind: 'tool';
  /** Entry in `tools/list`. */
  readonly descriptor: Tool;
  readonly outputSchema?: CompiledSchema;
  /** The arguments that clients repeat in `Mcp-Param-*` headers. */
  readonly paramHeaders: readonly ParamHeader[];
}

/** A prompt. */
export interface PromptDefinition extends DefinitionBase {
  readonly kind: 'prompt';
  /** Entry in `prompts/list`. */
  readonly descriptor: Prompt;
}

/** How long a client may keep a read result; the module supplies missing members. */
export interface ResourceCache {
  readonly ttlMs?: number;
  readonly scope?: 'public' | 'private';
}

/** A resource. */
export interface ResourceDefinition extends DefinitionBase {
  readonly kind: 'resource';
  /** Entry in `resources/list`. */
  readonly descriptor: Resource;
  readonly cache?: ResourceCache;
}

/** A resource template. */
export interface ResourceTemplateDefinition extends DefinitionBase {
  readonly kind: 'resource-template';
  /** Entry in `resources/templates/list`. */
  readonly descriptor: ResourceTemplate;
  readonly cache?: ResourceCache;
}

/** Any handler. */
export type HandlerDefinition = ToolDefinition | PromptDefinition | ResourceDefinition | ResourceTemplateDefinition;

/** The kinds of handler. */
export type HandlerKind = HandlerDefinition['kind'];

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
