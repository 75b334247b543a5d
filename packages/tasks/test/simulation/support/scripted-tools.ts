import { McpArgs, McpContext, McpError, McpModule, McpTool, type McpToolContext } from '@mocapi/core';
import { CallRunner } from '@mocapi/core/extension';
import { Clock, McpTask, McpTasksModule } from '@mocapi/tasks';
import { FakeClock } from '@mocapi/testing';
import { Injectable, Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import type { Act } from './task-plan.js';

/** What a body finds of the world that it runs in. */
export interface BodyWorld {
  readonly acts: readonly Act[];
  readonly ignoresSignal: boolean;
  /** Lets time pass on the body's node. */
  wait(ms: number): Promise<void>;
  /** Notes that the body is entered. */
  entered(): void;
  /** Notes that the function of a step ran. */
  stepped(key: string): void;
  /** Notes that the body was told to stop. */
  stopped(reason: unknown): void;
}

/** The worlds of the bodies that run, by the ticket that a node puts among the arguments. */
export const bodyWorlds = new Map<string, BodyWorld>();

const yesOrNo = z.object({ ok: z.boolean() });
const schema = { type: 'object', properties: { name: { type: 'string' }, ticket: { type: 'string' } } } as const;

interface ScriptArguments {
  readonly name: string;
  readonly ticket: string;
}

/** Bodies that follow a script. */
@Injectable()
class ScriptedTools {
  @McpTool({ description: 'Goes on after its node died' })
  @McpTask({ recover: 'replay' })
  replayed(@McpArgs({ schema }) { name, ticket }: ScriptArguments, @McpContext() ctx: McpToolContext): Promise<string> {
    return follow(name, bodyWorlds.get(ticket)!, ctx);
  }

  @McpTool({ description: 'Fails when its node died' })
  @McpTask({ recover: 'fail' })
  interrupted(@McpArgs({ schema }) { name, ticket }: ScriptArguments, @McpContext() ctx: McpToolContext): Promise<string> {
    return follow(name, bodyWorlds.get(ticket)!, ctx);
  }
}

async function follow(name: string, world: BodyWorld, ctx: McpToolContext): Promise<string> {
  let progress = 0;
  world.entered();
  ctx.signal.addEventListener('abort', () => world.stopped(ctx.signal.reason), { once: true });
  for (const act of world.acts) {
    switch (act.do) {
      case 'sleep':
        await (world.ignoresSignal ? world.wait(act.ms) : heeding(ctx.signal, world.wait(act.ms)));
        break;
      case 'step':
        await ctx.step(act.key, async () => {
          world.stepped(act.key);
          await world.wait(act.ms);
          return act.key;
        });
        break;
      case 'ask':
        await Promise.all(act.keys.map((key) => ctx.elicit(key, { message: `${key}?`, schema: yesOrNo })));
        break;
      case 'progress':
        ctx.progress(++progress, undefined, name);
        break;
      case 'break':
        throw new Error('The script says so');
      case 'deny':
        throw new McpError(1001, 'The script says no');
    }
  }
  return name;
}

async function heeding(signal: AbortSignal, wait: Promise<void>): Promise<void> {
  let stop!: () => void;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  signal.addEventListener('abort', stop, { once: true });
  if (!signal.aborted) await Promise.race([wait, stopped]);
  signal.removeEventListener('abort', stop);
  if (signal.aborted) throw new Error('Told to stop');
}

/** The real way of a tool call through core, which all nodes of all simulations share: it holds nothing between two calls. */
export async function scriptedCalls(): Promise<{ calls: CallRunner; close: () => Promise<void> }> {
  @Module({
    imports: [
      McpModule.forRoot({ name: 'simulation', version: '1' }),
      // Its decorators are needed; its engine has nothing to do, and a clock that stands still.
      McpTasksModule.forRoot({ providers: [{ provide: Clock, useValue: new FakeClock() }] }),
    ],
    providers: [ScriptedTools],
  })
  class Simulation {}
  const app: INestApplicationContext = await NestFactory.createApplicationContext(Simulation, { logger: false, abortOnError: false });
  return { calls: app.get(CallRunner, { strict: false }), close: () => app.close() };
}
