import { Injectable } from '@nestjs/common';
import {
  audio,
  embeddedResource,
  image,
  McpArgs,
  McpContext,
  McpError,
  McpTool,
  McpToolError,
  resourceLink,
  text,
  toolResult,
  type CallToolResult,
  type ContentBlock,
  type JsonObject,
  type McpToolContext,
} from '@mocapi/core';
import * as Fixture from './fixtures.js';

/** The tools that answer, by our decorators. */
@Injectable()
export class OurTools {
  @McpTool({ name: 'echo', description: 'Says it back', inputSchema: Fixture.ECHO_INPUT })
  echo(@McpArgs() args: JsonObject): string {
    return args['text'] as string;
  }

  @McpTool({ name: 'add', description: 'Adds', inputSchema: Fixture.ADD_INPUT, outputSchema: Fixture.ADD_OUTPUT })
  add(@McpArgs() args: JsonObject): object {
    return { sum: (args['a'] as number) + (args['b'] as number) };
  }

  @McpTool({ name: 'route', description: 'Has arguments that headers repeat', inputSchema: Fixture.ROUTE_INPUT })
  route(@McpArgs() args: JsonObject): string {
    return JSON.stringify(args);
  }

  @McpTool({ name: 'shape', description: 'Has a schema with much in it', inputSchema: Fixture.SHAPE_INPUT })
  shape(@McpArgs() args: JsonObject): string {
    return JSON.stringify(args);
  }

  @McpTool({ name: 'nothing', description: 'Takes nothing', inputSchema: Fixture.EMPTY_INPUT })
  nothing(): string {
    return 'done';
  }

  @McpTool({ name: 'image', description: 'An image', inputSchema: Fixture.EMPTY_INPUT })
  image(): ContentBlock {
    return image(Fixture.PNG, 'image/png');
  }

  @McpTool({ name: 'audio', description: 'A sound', inputSchema: Fixture.EMPTY_INPUT })
  audio(): ContentBlock {
    return audio(Fixture.WAV, 'audio/wav');
  }

  @McpTool({ name: 'link', description: 'A link', inputSchema: Fixture.EMPTY_INPUT })
  link(): ContentBlock {
    return resourceLink({ uri: 'demo://text', name: 'text', mimeType: 'text/plain', size: 4 });
  }

  @McpTool({ name: 'embedded', description: 'A resource', inputSchema: Fixture.EMPTY_INPUT })
  embedded(): ContentBlock {
    return embeddedResource('demo://text', 'text', { mimeType: 'text/plain' });
  }

  @McpTool({ name: 'mixed', description: 'Several blocks', inputSchema: Fixture.EMPTY_INPUT })
  mixed(): ContentBlock[] {
    return [
      text('first', { annotations: { audience: ['user'], priority: 0.5 } }),
      image(Fixture.PNG, 'image/png'),
      text('last', { _meta: { 'example.com/mark': 1 } }),
    ];
  }

  @McpTool({ name: 'empty', description: 'Nothing at all', inputSchema: Fixture.EMPTY_INPUT })
  empty(): void {}

  @McpTool({ name: 'anything', description: 'Any JSON', inputSchema: Fixture.ANYTHING_INPUT, outputSchema: {} })
  anything(@McpArgs() args: JsonObject): CallToolResult {
    const value = Fixture.ANYTHING[args['kind'] as string] ?? null;
    return toolResult({ content: [text(JSON.stringify(value))], structuredContent: value });
  }

  @McpTool({ name: 'decorated', inputSchema: Fixture.EMPTY_INPUT, ...Fixture.DECORATED })
  decorated(): CallToolResult {
    return toolResult({ content: [text('decorated')], _meta: { 'example.com/trace': 'on' } });
  }

  @McpTool({ name: 'fails', description: 'Says that it failed', inputSchema: Fixture.EMPTY_INPUT })
  fails(): never {
    throw new McpToolError('It failed');
  }

  @McpTool({ name: 'throws', description: 'Breaks', inputSchema: Fixture.EMPTY_INPUT })
  throws(): never {
    throw new Error('Broken');
  }

  @McpTool({ name: 'refuses', description: 'Throws a protocol error', inputSchema: Fixture.EMPTY_INPUT })
  refuses(): never {
    throw new McpError(1001, 'Out of stock', { data: { left: 0 } });
  }

  @McpTool({ name: 'untrue', description: 'Breaks its output schema', inputSchema: Fixture.EMPTY_INPUT, outputSchema: Fixture.ADD_OUTPUT })
  untrue(): object {
    return { sum: 'much' };
  }

  @McpTool({ name: 'progresses', description: 'Reports progress', inputSchema: Fixture.EMPTY_INPUT })
  progresses(@McpContext() ctx: McpToolContext): string {
    ctx.progress(1, 2, 'half');
    ctx.progress(2, 2);
    return 'done';
  }

  @McpTool({ name: 'logs', description: 'Logs', inputSchema: Fixture.EMPTY_INPUT })
  logs(@McpContext() ctx: McpToolContext): string {
    ctx.log('debug', 'small', 'logs');
    ctx.log('warning', { size: 'big' }, 'logs');
    return 'done';
  }
}
