import { Injectable, type Type } from '@nestjs/common';
import { McpArgs, McpTool, type McpRegistrar } from '@mocapi/core';
import { ECHO_ARGS } from './echo.tools.js';
import { median } from '../measure/statistics.js';
import { toolName } from './many-tools-name.js';

/** A provider with `count` tools of the same arguments. */
export function manyTools(count: number): Type {
  @Injectable()
  class ManyTools {}
  for (let index = 0; index < count; index += 1) declareTool(ManyTools.prototype, index);
  return ManyTools;
}

/** Adds that many tools. Resolves to the microseconds that one of them took, the middle of all. */
export async function addTools(registrar: McpRegistrar, count: number): Promise<number> {
  const took: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const begun = performance.now();
    await registrar.addTool({ name: `added_${index}`, description: 'Echoes a text', inputSchema: ECHO_ARGS, handler: ({ text }) => text });
    took.push((performance.now() - begun) * 1000);
  }
  return median(took);
}

function declareTool(prototype: object, index: number): void {
  const key = `tool${index}`;
  const value = ({ text }: { text: string }) => text;
  Object.defineProperty(prototype, key, { value, writable: true, configurable: true, enumerable: false });
  McpArgs({ schema: ECHO_ARGS })(prototype, key, 0);
  McpTool({ name: toolName(index), description: 'Echoes a text' })(prototype, key, Object.getOwnPropertyDescriptor(prototype, key)!);
}
