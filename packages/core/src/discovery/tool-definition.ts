import type { Tool } from '../protocol/official.js';
import type { CompiledSchema } from '../schema/compiled-schema.js';

/** A tool as the server knows it after boot; frozen. */
export interface ToolDefinition {
  readonly kind: 'tool';
  readonly name: string;
  /** What `tools/list` shows. */
  readonly descriptor: Tool;
  readonly inputSchema: CompiledSchema;
  readonly outputSchema?: CompiledSchema;
  /** The author's class and method, as errors name them. */
  readonly where: string;
  /** What extensions keep about the tool, by a key of theirs. */
  readonly extensions: ReadonlyMap<unknown, unknown>;
}
