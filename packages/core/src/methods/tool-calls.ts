import { Inject, Injectable } from '@nestjs/common';
import { ToolRegistry } from '../discovery/tool-registry.js';
import { PreparedTools } from '../handlers/prepared-tool.js';
import type { ExploredTool } from '../handlers/tool-explorer.js';
import { ToolInvoker } from '../handlers/tool-invoker.js';
import { ToolCallWire } from './tool-call-wire.js';

/** Everything a tool call goes through, in one place: which tools there are, how one is run, how a call is read and answered on the wire. */
@Injectable()
export class ToolCalls {
  constructor(
    @Inject(ToolRegistry) readonly registry: ToolRegistry,
    @Inject(PreparedTools) private readonly prepared: PreparedTools,
    @Inject(ToolInvoker) readonly invoker: ToolInvoker,
    @Inject(ToolCallWire) readonly wire: ToolCallWire,
  ) {}

  /** Takes over the tools that were found at boot. */
  fill(tools: readonly ExploredTool[]): void {
    for (const { definition, prepared } of tools) this.prepared.set(definition, prepared);
    this.registry.fill(tools.map(({ definition }) => definition));
  }
}
