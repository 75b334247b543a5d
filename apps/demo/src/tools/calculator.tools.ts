import { Injectable } from '@nestjs/common';
import { McpArg, McpTool } from '@mocapi/core';

/** A plain synchronous tool; its arguments are the method's parameters. */
@Injectable()
export class CalculatorTools {
  @McpTool({ description: 'Adds two numbers', annotations: { readOnlyHint: true } })
  add(@McpArg('a') a: number, @McpArg('b') b: number): { sum: number } {
    return { sum: a + b };
  }
}
