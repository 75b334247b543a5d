import { HANDLER_EXTENSIONS_METADATA, type HandlerExtensionMark } from './handler-metadata.js';

/**
 * Marks a tool as needing an extension; for the method decorators of extensions. A mark on a method that is not a
 * tool, or that no `HandlerCustomizer` of the application claims, is a boot fault with the mark's fix, so that an
 * annotation is never silently ignored.
 */
export function McpHandlerExtension(mark: HandlerExtensionMark): MethodDecorator {
  return (_target, _key, descriptor) => {
    const method = descriptor.value as object;
    const former = (Reflect.getOwnMetadata(HANDLER_EXTENSIONS_METADATA, method) ?? []) as HandlerExtensionMark[];
    Reflect.defineMetadata(HANDLER_EXTENSIONS_METADATA, [...former, mark], method);
  };
}
