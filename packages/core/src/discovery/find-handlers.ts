import type { DiscoveryService, MetadataScanner } from '@nestjs/core';
import {
  HANDLER_EXTENSIONS_METADATA,
  TOOL_METADATA,
  type HandlerExtensionMark,
  type McpToolOptions,
} from '../decorators/handler-metadata.js';

/** How Nest's discovery describes a provider or controller. */
export type HostWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** A class, as handlers are declared on it. */
export type HandlerClass = abstract new (...args: never[]) => unknown;

/** A method that a decorator of ours, or of an extension, marks. */
export interface FoundHandler {
  readonly wrapper: HostWrapper;
  readonly classRef: HandlerClass;
  readonly methodName: string;
  /** `Class.method`. */
  readonly where: string;
  readonly toolOptions?: McpToolOptions;
  readonly marks: readonly HandlerExtensionMark[];
}

/**
 * Every marked method of every provider and controller, in the order of declaration: modules as Nest scanned them, their providers and controllers,
 * their methods. A class that several modules provide counts once.
 */
export function findHandlers(discovery: DiscoveryService, scanner: MetadataScanner): FoundHandler[] {
  const seen = new Set<HandlerClass>();
  return [...discovery.getProviders(), ...discovery.getControllers()].flatMap((wrapper) => {
    const classRef = classOf(wrapper);
    if (!classRef || wrapper.isAlias || seen.has(classRef)) return [];
    const found = scanner
      .getAllMethodNames(classRef.prototype as object)
      .flatMap((methodName) => markedMethod(wrapper, { classRef, methodName }));
    if (found.length > 0) seen.add(classRef);
    return found;
  });
}

/** The class whose prototype holds the host's methods: the provider's own, or that of what its factory or value is. */
function classOf({ metatype, instance, isNotMetatype }: HostWrapper): HandlerClass | undefined {
  if (metatype && !isNotMetatype) return metatype as HandlerClass;
  if (typeof instance !== 'object' || instance === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(instance);
  if (prototype === null || prototype === Object.prototype) return undefined;
  const { constructor } = prototype as { constructor?: unknown };
  return typeof constructor === 'function' && constructor.prototype === prototype ? (constructor as HandlerClass) : undefined;
}

function markedMethod(wrapper: HostWrapper, { classRef, methodName }: { classRef: HandlerClass; methodName: string }): FoundHandler[] {
  const method = (classRef.prototype as Record<string, object>)[methodName]!;
  const toolOptions = Reflect.getMetadata(TOOL_METADATA, method) as McpToolOptions | undefined;
  const marks = (Reflect.getMetadata(HANDLER_EXTENSIONS_METADATA, method) ?? []) as HandlerExtensionMark[];
  if (!toolOptions && marks.length === 0) return [];
  return [{ wrapper, classRef, methodName, where: `${classRef.name}.${methodName}`, marks, ...(toolOptions ? { toolOptions } : {}) }];
}
