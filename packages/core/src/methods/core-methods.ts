import type { McpMethod } from '../dispatch/mcp-method.js';
import type { ServerCapabilities } from '../protocol/official.js';
import { CallToolMethod } from './call-tool.method.js';
import { DiscoverMethod } from './discover.method.js';
import { ListToolsMethod } from './list-tools.method.js';
import type { ToolCalls } from './tool-calls.js';

/** What the core's methods answer from. */
export interface CoreMethodsParts {
  readonly calls: ToolCalls;
  readonly pageSize: number;
  readonly instructions: string | undefined;
  readonly capabilities: ServerCapabilities;
}

/** The JSON-RPC methods of the core; extensions contribute theirs beside these. */
export function coreMethods({ calls, pageSize, instructions, capabilities }: CoreMethodsParts): McpMethod[] {
  return [new DiscoverMethod(capabilities, instructions), new ListToolsMethod(calls.registry, pageSize), new CallToolMethod(calls)];
}
