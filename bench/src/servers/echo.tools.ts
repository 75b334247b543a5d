import { Injectable } from '@nestjs/common';
import { McpArgs, McpTool } from '@mocapi/core';
import { IsString, MaxLength } from 'class-validator';
import { z } from 'zod';

export const ECHO_ARGS = z.object({ text: z.string().max(1000) });

/** The same argument as a class. */
export class EchoDto {
  @IsString()
  @MaxLength(1000)
  text!: string;
}

/** One tool for each way to declare arguments. */
@Injectable()
export class EchoTools {
  @McpTool({ name: 'echo_zod', description: 'Echoes a text' })
  zod(@McpArgs({ schema: ECHO_ARGS }) { text }: z.output<typeof ECHO_ARGS>): string {
    return text;
  }

  @McpTool({ name: 'echo_dto', description: 'Echoes a text' })
  dto(@McpArgs() { text }: EchoDto): string {
    return text;
  }

  @McpTool({
    name: 'echo_raw',
    description: 'Echoes a text',
    inputSchema: { type: 'object', properties: { text: { type: 'string', maxLength: 1000 } }, required: ['text'] },
  })
  raw(@McpArgs() { text }: { text: string }): string {
    return text;
  }
}
