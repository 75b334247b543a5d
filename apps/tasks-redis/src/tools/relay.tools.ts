import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { McpArgs, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { z } from 'zod';
import { ThisNode } from '../this-node.js';

const RelayArgs = z.object({
  laps: z.int().min(1).max(100).default(10).describe('How many laps'),
  lapMs: z.int().min(0).max(60_000).default(500).describe('Milliseconds per lap'),
});

/** Which node ran each lap, in order. */
export interface Relay {
  readonly ranBy: readonly string[];
}

/** A long job of recorded steps: the node that takes it over continues after the last finished lap. */
@Injectable()
export class RelayTools {
  constructor(private readonly node: ThisNode) {}

  @McpTool({ name: 'relay', description: 'Runs laps, one after the other, and says which node ran each' })
  @McpTask({ ttl: 'PT1H', pollInterval: 'PT0.5S', recover: 'replay' })
  async relay(
    @McpArgs({ schema: RelayArgs }) { laps, lapMs }: z.output<typeof RelayArgs>,
    @McpContext() ctx: McpToolContext,
  ): Promise<Relay> {
    const ranBy: string[] = [];
    for (let lap = 1; lap <= laps; lap++) {
      const node = await ctx.step(`lap-${lap}`, () => this.runLap(lapMs, ctx.signal));
      ranBy.push(node);
      ctx.progress(lap, laps, `lap ${lap} run by ${node}`);
    }
    return { ranBy };
  }

  private async runLap(lapMs: number, signal: AbortSignal): Promise<string> {
    await setTimeout(lapMs, undefined, { signal });
    return this.node.name;
  }
}
