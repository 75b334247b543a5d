import { Injectable } from '@nestjs/common';
import { image, McpArg, McpArgs, McpContext, McpField, McpTool, McpToolError, text, toolResult, type McpToolContext } from '@mocapi/core';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { z } from 'zod';

// #region dto
export class OrderLine {
  @IsString()
  @McpField({ description: 'Article number', examples: ['A-17'] })
  article!: string;

  @IsInt()
  @Min(1)
  @Max(100)
  @McpField({ default: 1 })
  amount!: number;
}

export class OrderArgs {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => OrderLine)
  @McpField({ description: 'What is ordered' })
  lines!: OrderLine[];

  @IsOptional()
  @IsString()
  note?: string;
}

@Injectable()
export class OrderTools {
  @McpTool({ name: 'order.place', description: 'Places an order' })
  place(@McpArgs() order: OrderArgs) {
    return { lines: order.lines.length, first: order.lines[0]?.article ?? null };
  }
}
// #endregion dto

// #region standard-schema
const SearchArgs = z.object({
  query: z.string().min(1).describe('Words to look for'),
  limit: z.int().min(1).max(100).default(20),
});

const SearchResult = z.object({ titles: z.array(z.string()) });

@Injectable()
export class SearchTools {
  @McpTool({ description: 'Searches the catalogue', outputSchema: SearchResult, annotations: { readOnlyHint: true } })
  search(@McpArgs({ schema: SearchArgs }) { query, limit }: z.output<typeof SearchArgs>): z.input<typeof SearchResult> {
    return { titles: [`${limit} titles about ${query}`] };
  }
}
// #endregion standard-schema

// #region raw-schema
@Injectable()
export class ColourTools {
  @McpTool({
    description: 'Mixes colours',
    inputSchema: {
      type: 'object',
      properties: { colours: { type: 'array', items: { $ref: '#/$defs/colour' }, minItems: 2 } },
      required: ['colours'],
      $defs: { colour: { type: 'string', pattern: '^#[0-9a-f]{6}$' } },
    },
  })
  mix(@McpArgs() { colours }: { colours: string[] }): string {
    return `A mixture of ${colours.join(' and ')}`;
  }
}
// #endregion raw-schema

// #region single-arguments
@Injectable()
export class RoundingTools {
  @McpTool({ description: 'Rounds a number' })
  round(
    @McpArg('value', { description: 'The number' }) value: number,
    @McpArg('digits', { schema: 'integer', default: 0 }) digits: number,
    @McpContext() ctx: McpToolContext,
  ): number {
    ctx.progress(1, 1);
    return Number(value.toFixed(digits));
  }
}
// #endregion single-arguments

function drawChart(title: string): Uint8Array {
  return Buffer.from(`89504e47 ${title}`);
}

// #region results
@Injectable()
export class ReportTools {
  @McpTool({ description: 'Draws a chart' })
  chart(@McpArg('title') title: string) {
    if (title.trim() === '') throw new McpToolError('A chart needs a title: ask the user for one');
    return toolResult({
      content: [text(`Chart "${title}"`), image(drawChart(title), 'image/png', { annotations: { audience: ['user'] } })],
      structuredContent: { title },
    });
  }
}
// #endregion results

// #region param-headers
@Injectable()
export class QueryTools {
  @McpTool({ description: 'Runs a query in one region' })
  query(@McpArg('region', { header: 'Region' }) region: string, @McpArg('sql') sql: string): string {
    return `${sql} in ${region}`;
  }
}
// #endregion param-headers
