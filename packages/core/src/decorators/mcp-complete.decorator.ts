import { COMPLETER_METADATA, type McpCompleteOptions } from './handler-metadata.js';

/**
 * Makes a method of a provider or controller the completer of one argument of a prompt, or one variable of a resource template
 * (MCP server/utilities/completion). It is called with the value so far, the other arguments so far, and a `McpCompletionContext`; it returns
 * `string[]` or an `McpCompletion`, best first. The guards of the prompt or template guard it. May be repeated.
 */
export function McpComplete(options: McpCompleteOptions): MethodDecorator {
  return (_target, _key, descriptor) => {
    const method = descriptor.value as object;
    const former = (Reflect.getOwnMetadata(COMPLETER_METADATA, method) ?? []) as McpCompleteOptions[];
    Reflect.defineMetadata(COMPLETER_METADATA, [...former, options], method);
  };
}
