import { HANDLER_EXTENSIONS_METADATA, type HandlerExtensionMark } from './handler-metadata.js';

/**
 * For the method decorators of extensions: marks a tool as needing the extension. A mark on a method that is no tool, or that no
 * `HandlerCustomizer` of the application claims, is a boot fault with the mark's mend, so that an annotation is never ignored in silence.
 */
export function McpHandlerExtension(mark: HandlerExtensionMark): MethodDecorator {
  return (_target, _key, descriptor) => {
    const method = descriptor.value as object;
    const former = (Reflect.getOwnMetadata(HANDLER_EXTENSIONS_METADATA, method) ?? []) as HandlerExtensionMark[];
    Reflect.defineMetadata(HANDLER_EXTENSIONS_METADATA, [...former, mark], method);
  };
}
