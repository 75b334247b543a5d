import { methodOf } from '../nest/metadata.js';
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
    return scanner.getAllMethodNames(classRef.prototype).map((methodName) => ({ wrapper, classRef, methodName }));
  });
}

/** The class whose prototype holds the host's methods: the provider's own, or that of what its factory or value is. */
function classOf({ metatype, instance, isNotMetatype }: HostWrapper): HandlerClass | undefined {
  if (isClass(metatype) && !isNotMetatype) return metatype;
  if (typeof instance !== 'object' || instance === null) return undefined;
  const prototype: object | null = Object.getPrototypeOf(instance);
  if (prototype === null || prototype === Object.prototype) return undefined;
  const { constructor }: { readonly constructor: unknown } = prototype;
  return isClass(constructor) && constructor.prototype === prototype ? constructor : undefined;
}

/** Whether a value is a class, as far as can be told: a function. */
export function isClass(value: unknown): value is HandlerClass {
  return typeof value === 'function';
}

function markedMethod({ wrapper, classRef, methodName }: HostMethod): FoundHandler[] {
  const method = methodOf({ classRef, methodName });
  const declaration: HandlerDeclaration | undefined = Reflect.getMetadata(HANDLER_METADATA, method);
  const marks: HandlerExtensionMark[] = Reflect.getMetadata(HANDLER_EXTENSIONS_METADATA, method) ?? [];
  if (!declaration && marks.length === 0) return [];
  return [{ wrapper, classRef, methodName, where: `${classRef.name}.${methodName}`, marks, declaration }];
}
