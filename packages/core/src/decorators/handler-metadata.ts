import type { JsonObject } from '../protocol/json.js';
import type { ToolAnnotations } from '../protocol/official.js';
import type { SchemaSource } from '../schema/schema-source.js';

/** Metadata key, on a method: the options of `@McpTool`. */
export const TOOL_METADATA = 'mocapi:tool';

/** Metadata key, on a class and method: the parameters that our decorators mark, in the form Nest's pipeline reads. */
export const PARAMS_METADATA = 'mocapi:params';

/** Metadata key, on a method: the extensions that have marked it. */
export const HANDLER_EXTENSIONS_METADATA = 'mocapi:handler-extensions';

/**
 * Nest's key for classes whose request-scoped global enhancers apply to them; without it a request-scoped `APP_GUARD` would be skipped
 * for tools in silence. Nest exports no decorator for it that a method decorator could use.
 */
export const ENTRY_PROVIDER_METADATA = '__entryProvider__';

/** The options of `@McpTool`. `${KEY}` and `${KEY:default}` in its strings are resolved at boot. */
export interface McpToolOptions {
  /** 1 to 128 of `A-Za-z0-9_.-`, unique in the server. @default the method's name */
  readonly name?: string;
  /** For people to read. */
  readonly title?: string;
  /** What the tool does, for the model. Its absence is a boot fault. */
  readonly description?: string;
  /** Hints about what the tool does (MCP server/tools "Tool"). */
  readonly annotations?: ToolAnnotations;
  /** A DTO class, a Standard Schema with JSON Schema, or a raw JSON Schema. @default what the parameters say */
  readonly inputSchema?: SchemaSource;
  /** The schema of `structuredContent`; what the tool returns is checked against it. */
  readonly outputSchema?: SchemaSource;
  readonly _meta?: JsonObject;
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
}

/** The marked parameters of one method, by `<kind>:<index>`. */
export type ParamsMetadata = Readonly<Record<string, ParamMetadata>>;

/** What an extension's method decorator leaves: who marks, and what to write when the extension is not there. */
export interface HandlerExtensionMark {
  /** The decorator as its user writes it, such as `@McpTask`. */
  readonly decorator: string;
  /** What to do when nothing in the application claims the mark. */
  readonly mend: string;
}
