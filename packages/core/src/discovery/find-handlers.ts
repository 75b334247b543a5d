import type { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { endpointsOf, ROOT_ENDPOINT } from '../seams/endpoint.js';
import {
  HANDLER_EXTENSIONS_METADATA,
  HANDLER_METADATA,
  type HandlerDeclaration,
  type HandlerExtensionMark,
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
  /** The object on which to call the method, instead of the provider; for a handler that is added at run time. */
  readonly instance?: object;
  /** The declaration; undefined for a method that only an extension marks. */
  readonly declaration?: HandlerDeclaration;
  readonly marks: readonly HandlerExtensionMark[];
}

/** Where handlers are looked for, and for which endpoint. */
export interface HandlerSources {
  readonly discovery: DiscoveryService;
  readonly scanner: MetadataScanner;
  readonly endpoint: string;
}

/**
 * Every marked method of the endpoint's providers and controllers, in the order of declaration: modules as Nest scanned them, their providers and controllers,
 * their methods. A class that several modules provide counts once.
 */
export function findHandlers(sources: HandlerSources): FoundHandler[] {
  return methodsOfHosts(sources).flatMap(markedMethod);
}

/** A method of a provider or controller. */
export interface HostMethod {
  readonly wrapper: HostWrapper;
  readonly classRef: HandlerClass;
  readonly methodName: string;
}

/** Every method of the endpoint's providers and controllers, each class once, in the order of declaration. */
export function methodsOfHosts({ discovery, scanner, endpoint }: HandlerSources): HostMethod[] {
  const seen = new Set<HandlerClass>();
  return [...discovery.getProviders(), ...discovery.getControllers()].flatMap((wrapper) => {
    const classRef = classOf(wrapper);
    if (!classRef || wrapper.isAlias || seen.has(classRef)) return [];
    if (!(endpointsOf(wrapper) ?? [ROOT_ENDPOINT]).includes(endpoint)) return [];
    seen.add(classRef);
    return scanner.getAllMethodNames(classRef.prototype as object).map((methodName) => ({ wrapper, classRef, methodName }));
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

function markedMethod({ wrapper, classRef, methodName }: HostMethod): FoundHandler[] {
  const method = (classRef.prototype as Record<string, object>)[methodName]!;
  const declaration = Reflect.getMetadata(HANDLER_METADATA, method) as HandlerDeclaration | undefined;
  const marks = (Reflect.getMetadata(HANDLER_EXTENSIONS_METADATA, method) ?? []) as HandlerExtensionMark[];
  if (!declaration && marks.length === 0) return [];
  return [{ wrapper, classRef, methodName, where: `${classRef.name}.${methodName}`, marks, ...(declaration ? { declaration } : {}) }];
}
