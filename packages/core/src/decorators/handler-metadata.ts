import type { JsonObject } from '../protocol/json.js';
import type { Annotations, Icon, ToolAnnotations } from '../protocol/official.js';
import type { SchemaSource } from '../schema/schema-source.js';

/** Metadata key, on a method: what kind of handler it is, with the options its decorator was given. */
export const HANDLER_METADATA = 'mocapi:handler';

/** Metadata key, on a class and method: the parameters that our decorators mark, in the form Nest's pipeline reads. */
export const PARAMS_METADATA = 'mocapi:params';

/** Prefix of the keys of our entries under Nest's key for marked parameters: they name pipes, and mark no parameter. */
export const SCANNED_PIPES = 'mocapi:';

/** Metadata key, on a method: the extensions that have marked it. */
export const HANDLER_EXTENSIONS_METADATA = 'mocapi:handler-extensions';

/** Declaration of a handler, as its decorator stored it. */
export type HandlerDeclaration =
  | { readonly kind: 'tool'; readonly decorator: '@McpTool'; readonly options: McpToolOptions }
  | { readonly kind: 'prompt'; readonly decorator: '@McpPrompt'; readonly options: McpPromptOptions }
  | { readonly kind: 'resource'; readonly decorator: '@McpResource'; readonly options: McpResourceOptions }
  | { readonly kind: 'resource-template'; readonly decorator: '@McpResourceTemplate'; readonly options: McpResourceTemplateOptions };

/** Metadata key, on a method: what it completes. */
export const COMPLETER_METADATA = 'mocapi:completer';

/** The options of `@McpComplete`: a prompt or a template, and which of its arguments. */
export type McpCompleteOptions =
  | { readonly prompt: string; readonly template?: undefined; readonly argument: string }
  | { readonly template: string; readonly prompt?: undefined; readonly argument: string };

/** Options that every handler has. `${KEY}` and `${KEY:default}` in strings are resolved at boot. */
export interface McpHandlerOptions {
  /** For people to read. */
  readonly title?: string;
  /** The purpose of the handler, for the model. */
  readonly description?: string;
  /** `https:` or `data:` images for clients to show (MCP basic "Icons"). */
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

/** The options of `@McpPrompt`. Its arguments are the method's: `@McpArgs()` or `@McpArg()`; over the wire they are strings. */
export interface McpPromptOptions extends McpHandlerOptions {
  /** @default the method's name */
  readonly name?: string;
  /** A DTO class, a Standard Schema with JSON Schema, or a raw JSON Schema of the arguments. @default derived from the parameters */
  readonly inputSchema?: SchemaSource;
}

/** Options that `@McpResource` and `@McpResourceTemplate` share. */
export interface McpResourceBaseOptions extends McpHandlerOptions {
  /** @default the method's name */
  readonly name?: string;
  readonly mimeType?: string;
  /** Who it is for and how much it matters (MCP server/resources "Annotations"). */
  readonly annotations?: Annotations;
  /** How long and by whom the read result may be kept. @default the module's `cache` */
  readonly cache?: ResourceCacheOptions;
}

/** How long a client may keep a read result (MCP server/utilities/caching). */
export interface ResourceCacheOptions {
  /** ISO-8601 or milliseconds; 0: not at all. @default the module's `readTtl` */
  readonly ttl?: string | number;
  /** `public`: the result is the same for every caller. @default the module's `scope` */
  readonly scope?: 'public' | 'private';
}

/** The options of `@McpResource`. */
export interface McpResourceOptions extends McpResourceBaseOptions {
  /** The absolute URI under which it is read; unique in the server. */
  readonly uri: string;
  /** Bytes, if known. */
  readonly size?: number;
}

/** The options of `@McpResourceTemplate`. */
export interface McpResourceTemplateOptions extends McpResourceBaseOptions {
  /** RFC 6570; its variables are the method's arguments: `@McpArg('id')`. */
  readonly uriTemplate: string;
  /** The variables as a DTO class or a schema. @default derived from the parameters */
  readonly inputSchema?: SchemaSource;
}

/** The options of `@McpTool`. `${KEY}` and `${KEY:default}` in its strings are resolved at boot. */
export interface McpToolOptions extends McpHandlerOptions {
  /** 1 to 128 of `A-Za-z0-9_.-`, unique in the server. @default the method's name */
  readonly name?: string;
  /** The purpose of the tool, for the model. Its absence is a boot fault. */
  readonly description?: string;
  /** Hints about what the tool does (MCP server/tools "Tool"). */
  readonly annotations?: ToolAnnotations;
  /** A DTO class, a Standard Schema with JSON Schema, or a raw JSON Schema. @default derived from the parameters */
  readonly inputSchema?: SchemaSource;
  /** The schema of `structuredContent`; what the tool returns is checked against it. */
  readonly outputSchema?: SchemaSource;
}

/** The kinds of parameter our decorators mark. `Args` is Nest's own number for a request body, so that validation pipes take it for one. */
export const ParamKind = { Args: 3, Context: 1001, Arg: 1002, Gate: 1003 } as const;

/** One marked parameter, in the form Nest's pipeline reads. */
export interface ParamMetadata {
  readonly index: number;
  readonly data: unknown;
  readonly pipes: readonly unknown[];
  readonly schema?: unknown;
  readonly factory?: unknown;
  /** The options as our decorator was given them, to be checked at boot. */
  readonly options?: object;
}

/** The marked parameters of one method, by `<kind>:<index>`. */
export type ParamsMetadata = Readonly<Record<string, ParamMetadata>>;

/** Mark that an extension's method decorator leaves: who marks, and how to get the missing extension. */
export interface HandlerExtensionMark {
  /** The decorator as its user writes it, such as `@McpTask`. */
  readonly decorator: string;
  /** How to fix it when no module claims the mark. */
  readonly fix: string;
}
