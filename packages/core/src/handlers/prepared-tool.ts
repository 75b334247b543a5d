import type { ToolDefinition } from '../discovery/tool-definition.js';
import type { NestPipeline } from './nest-pipeline.js';
import type { HandlerStrata } from './strata.js';

/** What runs a tool: its strata and Nest's pipeline around the author's method. */
export interface PreparedTool {
  readonly strata: HandlerStrata;
  readonly pipeline: NestPipeline;
}

/** What runs each of the server's tools; filled at boot. */
export class PreparedTools extends Map<ToolDefinition, PreparedTool> {}
