import { markEntryProvider } from '../nest/metadata.js';
import {
  type McpToolOptions,
  type McpPromptOptions,
  type McpResourceOptions,
  type McpResourceTemplateOptions,
  COMPLETER_METADATA,
  type McpCompleteOptions,
  HANDLER_EXTENSIONS_METADATA,
  type HandlerExtensionMark,
  HANDLER_METADATA,
  type HandlerDeclaration,
} from './handler-metadata.js';
import { SetMetadata } from '@nestjs/common';

/**
 * Makes a method of a provider or controller an MCP tool (MCP server/tools). Guards, interceptors, pipes, filters and request-scoped
 * providers apply to it as to any Nest handler. Over HTTP their context type is `'http'`, otherwise `'mcp'`. Composes with
 * `applyDecorators`, in any order.
 */
export function McpTool(options: McpToolOptions = {}): MethodDecorator {
  return declareHandler({ kind: 'tool', decorator: '@McpTool', options });
}

/**
 * Makes a method of a provider or controller a prompt (MCP server/prompts). `prompts/get` answers what the method returns: a text, one or
 * several messages, or a `GetPromptResult`. Nest's enhancers apply as to a tool.
 */
export function McpPrompt(options: McpPromptOptions = {}): MethodDecorator {
  return declareHandler({ kind: 'prompt', decorator: '@McpPrompt', options });
}

/**
 * Makes a method of a provider or controller a resource (MCP server/resources). `resources/read` answers what the method returns: text,
 * bytes, JSON, or a `ReadResourceResult`. Nest's enhancers apply as to a tool.
 */
export function McpResource(options: McpResourceOptions = {} as McpResourceOptions): MethodDecorator {
  return declareHandler({ kind: 'resource', decorator: '@McpResource', options });
}

/**
 * Makes a method of a provider or controller a resource template (MCP server/resources "Resource templates"): it reads
 * every URI that matches the template and belongs to no resource. Nest's enhancers apply as to a tool.
 */
export function McpResourceTemplate(options: McpResourceTemplateOptions = {} as McpResourceTemplateOptions): MethodDecorator {
  return declareHandler({ kind: 'resource-template', decorator: '@McpResourceTemplate', options });
}

/**
 * Makes a method of a provider or controller the completer of one argument of a prompt, or one variable of a resource template
 * (MCP server/utilities/completion). It is called with the value so far, the other arguments so far, and a `McpCompletionContext`; it returns
 * `string[]` or an `McpCompletion`, best first. The guards of the prompt or template run before it. A method may have several.
 */
export function McpComplete(options: McpCompleteOptions): MethodDecorator {
  return addMark(COMPLETER_METADATA, options);
}

/**
 * Marks a tool as needing an extension; for the method decorators of extensions. A mark on a method that is not a
 * tool, or that no `HandlerCustomizer` of the application claims, is a boot fault with the mark's fix, so that an
 * annotation is never silently ignored.
 */
export function McpHandlerExtension(mark: HandlerExtensionMark): MethodDecorator {
  return addMark(HANDLER_EXTENSIONS_METADATA, mark);
}

/** Adds a mark to those that a method has under a metadata key. */
function addMark(key: string, mark: HandlerExtensionMark | McpCompleteOptions): MethodDecorator {
  return (_target, _key, { value: method }: PropertyDescriptor) => {
    const former: unknown[] = Reflect.getOwnMetadata(key, method) ?? [];
    Reflect.defineMetadata(key, [...former, mark], method);
  };
}

/** Makes a method a handler, for every decorator that does so. A method is one kind of handler. */
export function declareHandler(declaration: HandlerDeclaration): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const where = `${typeof target === 'function' ? target.name : target.constructor.name}.${String(key)}`;
    if (typeof target === 'function')
      throw new TypeError(`${declaration.decorator} is on the static method ${where}, but handlers are instance methods: remove "static"`);
    const former: HandlerDeclaration | undefined = Reflect.getOwnMetadata(HANDLER_METADATA, descriptor.value);
    if (former) throw new TypeError(`${where} has both ${former.decorator} and ${declaration.decorator}: use one method for each`);
    SetMetadata(HANDLER_METADATA, declaration)(target, key, descriptor);
    markEntryProvider(target.constructor);
  };
}
