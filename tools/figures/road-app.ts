import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { McpArg, McpArgs, McpContext, McpModule, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { z } from 'zod';

const ECHO = z.object({ text: z.string() });
const CONFIRM = z.object({ confirmed: z.boolean() });

@Injectable()
class EchoTools {
  @McpTool({ name: 'echo', description: 'Echoes a text' })
  echo(@McpArgs({ schema: ECHO }) { text }: z.output<typeof ECHO>): string {
    return text;
  }
}

@Injectable()
class AskingTools {
  @McpTool({ name: 'ask', description: 'Asks for a confirmation' })
  @McpTask()
  async ask(@McpArg('text') text: string, @McpContext() ctx: McpToolContext): Promise<string> {
    const { action } = await ctx.elicit('confirm', { message: 'Is it right?', schema: CONFIRM });
    return `${text} ${action}`;
  }
}

@Module({})
class RoadModule {}

const SERVER = McpModule.forRoot({ name: 'roads', version: '1.0.0' });
// No beat of the node falls into the call that is counted.
const TASKS = McpTasksModule.forRoot({ lease: 'PT10M' });

/** Modules of a server with one tool, and of one whose tool is a task that asks. */
export const ROAD_APPS: Readonly<Record<'call' | 'task', DynamicModule>> = {
  call: { module: RoadModule, imports: [SERVER], providers: [EchoTools] },
  task: { module: RoadModule, imports: [SERVER, TASKS], providers: [AskingTools] },
};

/** A server that listens on a free loopback port. */
export async function startRoadApp(module: DynamicModule): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => app.close() };
}
