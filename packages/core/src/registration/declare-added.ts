import { NestKey } from '../nest/metadata.js';
import { UseGuards, type CanActivate } from '@nestjs/common';
import { declareHandler } from '../decorators/mcp-methods.decorators.js';
import { HANDLER_EXTENSIONS_METADATA, type HandlerDeclaration, type HandlerExtensionMark } from '../decorators/handler-metadata.js';
import { McpArgs, McpContext } from '../decorators/mcp-params.decorators.js';
import type { FoundHandler, HostWrapper } from '../discovery/find-handlers.js';

/** Parts from which a handler is made at run time. */
export interface AddedParts {
  readonly declaration: HandlerDeclaration;
  readonly where: string;
  readonly handler: (...given: never[]) => unknown;
  readonly guards: readonly CanActivate[];
  readonly decorators: readonly MethodDecorator[];
  /** The provider in whose place in the container it stands. */
  readonly wrapper: HostWrapper;
}

const METHOD = 'handle';
/** Class names that guards, interceptors and filters see; the method has the handler's own name. */
const CLASS_NAMES = {
  tool: 'AddedTool',
  prompt: 'AddedPrompt',
  resource: 'AddedResource',
  'resource-template': 'AddedResourceTemplate',
} as const;

/**
 * Makes a class of its own with the handler as its only method, marked as an author would mark it. From here on it is
 * a handler like any other, and no rule of the framework needs a second form for handlers that are added at run time.
 */
export function declareAdded({ declaration, where, handler, guards, decorators, wrapper }: AddedParts): FoundHandler {
  class AddedHandlerHost {
    handle(...given: unknown[]): unknown {
      return handler(...(given as never[]));
    }
  }
  const { prototype } = AddedHandlerHost;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, METHOD)!;
  Object.defineProperty(AddedHandlerHost, 'name', { value: CLASS_NAMES[declaration.kind] });
  Object.defineProperty(descriptor.value, 'name', { value: declaration.options.name });
  const guarding = guards.length > 0 ? [UseGuards(...guards)] : [];
  for (const decorate of [declareHandler(declaration), ...guarding, ...decorators]) {
    decorate(prototype, METHOD, descriptor);
  }
  const takesArguments = declaration.kind !== 'resource';
  if (takesArguments) McpArgs()(prototype, METHOD, 0);
  McpContext()(prototype, METHOD, takesArguments ? 1 : 0);
  // The types that TypeScript would emit; without any, Nest warns that pipes get none.
  Reflect.defineMetadata(NestKey.ParamTypes, takesArguments ? [Object, Object] : [Object], prototype, METHOD);
  const marks: HandlerExtensionMark[] = Reflect.getMetadata(HANDLER_EXTENSIONS_METADATA, descriptor.value) ?? [];
  return { wrapper, instance: new AddedHandlerHost(), classRef: AddedHandlerHost, methodName: METHOD, where, declaration, marks };
}
