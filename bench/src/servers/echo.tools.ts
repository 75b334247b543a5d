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

const ROWS_ARGS = z.object({
  rows: z.array(
    z.object({ id: z.number(), name: z.string(), city: z.string(), price: z.number(), tags: z.array(z.string()), open: z.boolean() }),
  ),
});

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

  @McpTool({ name: 'count_rows', description: 'Counts rows' })
  countRows(@McpArgs({ schema: ROWS_ARGS }) { rows }: z.output<typeof ROWS_ARGS>): string {
    return `${rows.length} rows`;
  }
}
