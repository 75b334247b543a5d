import { Injectable, type Type } from '@nestjs/common';
import { McpArgs, McpTool } from '@mocapi/core';
import { ECHO_ARGS } from './echo.tools.js';
import { toolName } from './many-tools-name.js';

/** A provider with `count` tools of the same arguments. */
export function manyTools(count: number): Type {
  @Injectable()
  class ManyTools {}
  for (let index = 0; index < count; index += 1) declareTool(ManyTools.prototype, index);
  return ManyTools;
}

function declareTool(prototype: object, index: number): void {
  const key = `tool${index}`;
  const value = ({ text }: { text: string }) => text;
  Object.defineProperty(prototype, key, { value, writable: true, configurable: true, enumerable: false });
  McpArgs({ schema: ECHO_ARGS })(prototype, key, 0);
  McpTool({ name: toolName(index), description: 'Echoes a text' })(prototype, key, Object.getOwnPropertyDescriptor(prototype, key)!);
}
