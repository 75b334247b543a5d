import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';

/** One execution of a tool, held until the case says how it continues. */
export interface HeldBody {
  /** Which task it belongs to, as the case named it. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** Lets it return `text`. */
  finish(text: string): void;
}

/** The bodies of one node, as the cases see them. */
export class Bodies {
  readonly held: HeldBody[] = [];
  /** Names for which the step was carried out, once for each time. */
  readonly steps: string[] = [];

  hold(name: string, signal: AbortSignal): Promise<string> {
    return new Promise((finish) => this.held.push({ name, signal, finish }));
  }

  /** Lets everything that is held return. */
  release(): void {
    for (const body of this.held) body.finish('released');
  }
}

/** The tools that each node of the contract has. */
@Injectable()
export class TaskNodesTools {
  constructor(private readonly bodies: Bodies) {}

  @McpTool({ description: 'Works until it is released; may be repeated' })
  @McpTask({ recover: 'replay' })
  async repeatable(@McpArg('name') name: string, @McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.step('once', () => void this.bodies.steps.push(name));
    return this.bodies.hold(name, ctx.signal);
  }

  @McpTool({ description: 'Works until it is released; must not be repeated' })
  @McpTask({ recover: 'fail' })
  async single(@McpArg('name') name: string, @McpContext() ctx: McpToolContext): Promise<string> {
    return this.bodies.hold(name, ctx.signal);
  }

  @McpTool({ description: 'Ends when it is aborted; may be repeated' })
  @McpTask({ recover: 'replay' })
  async obedient(@McpArg('name') name: string, @McpContext() ctx: McpToolContext): Promise<string> {
    void this.bodies.hold(name, ctx.signal);
    if (!ctx.signal.aborted) await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }));
    throw new Error('stopped');
  }

  @McpTool({ description: 'Asks two questions at once, then works until it is released' })
  @McpTask({ recover: 'replay' })
  async asking(@McpArg('name') name: string, @McpContext() ctx: McpToolContext): Promise<string> {
    return this.askFirst(name, ctx);
  }

  @McpTool({ description: 'Asks two questions at once, then works until it is released; must not be repeated' })
  @McpTask({ recover: 'fail' })
  async askingOnce(@McpArg('name') name: string, @McpContext() ctx: McpToolContext): Promise<string> {
    return this.askFirst(name, ctx);
  }

  private async askFirst(name: string, ctx: McpToolContext): Promise<string> {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } } } as const;
    await Promise.all(['one', 'two'].map((key) => ctx.elicit(key, { message: `${key}?`, schema })));
    return this.bodies.hold(name, ctx.signal);
  }
}
