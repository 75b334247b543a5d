import 'reflect-metadata';

/**
 * The metadata keys that Nest and TypeScript write and that have no public name. Only this file spells them; a test compares them with the
 * installed Nest.
 */
export const NestKey = {
  /** The enhancers named by `@UseGuards`, `@UseInterceptors`, `@UsePipes` and `@UseFilters` on a class or a method. */
  Guards: '__guards__',
  Interceptors: '__interceptors__',
  Pipes: '__pipes__',
  Filters: '__exceptionFilters__',
  /** The classes that `@Catch` names, on a filter. */
  Caught: '__filterCatchExceptions__',
  /** The parameters that Nest's own decorators mark. Its scanner registers the pipes that stand there by class, so that a test may replace them. */
  RouteArgs: '__routeArguments__',
  /** In the key of each parameter that a decorator made with `createParamDecorator` marks. */
  CustomArgs: '__customRouteArgs__',
  /**
   * Classes to which request-scoped global enhancers apply; without it Nest would silently skip a request-scoped `APP_GUARD` for tools. Nest
   * exports no decorator for it that a method decorator could use.
   */
  EntryProvider: '__entryProvider__',
  /** The types of a method's parameters, as the TypeScript compiler emits them. */
  ParamTypes: 'design:paramtypes',
} as const;

/** A key under which guards, interceptors, pipes or filters stand. */
export type EnhancerKey = (typeof NestKey)['Guards' | 'Interceptors' | 'Pipes' | 'Filters'];

/** A method of a class, as its decorators see it. */
export interface MethodRef {
  readonly classRef: abstract new (...args: never[]) => unknown;
  readonly methodName: string;
}

/** The enhancers of one kind that a class or a method names: instances and classes, the outermost first. */
export function enhancersOn(target: object, key: EnhancerKey): readonly unknown[] {
  return Reflect.getMetadata(key, target) ?? [];
}

/** Replaces the enhancers of one kind that a class or a method names. */
export function setEnhancers(target: object, key: EnhancerKey, enhancers: readonly unknown[]): void {
  Reflect.defineMetadata(key, enhancers, target);
}

/** The classes of errors that a filter catches; none: it catches every error. */
export function caughtBy(filter: object): readonly unknown[] {
  return Reflect.getMetadata(NestKey.Caught, filter) ?? [];
}

/** Makes request-scoped global enhancers apply to the methods of a class. */
export function markEntryProvider(classRef: object): void {
  Reflect.defineMetadata(NestKey.EntryProvider, true, classRef);
}

/** The types of a method's parameters; undefined where the compiler has emitted none. */
export function paramTypesOf({ classRef, methodName }: MethodRef): readonly unknown[] | undefined {
  return Reflect.getMetadata(NestKey.ParamTypes, classRef.prototype, methodName);
}

/** The function that a class's prototype has under the method's name. */
export function methodOf({ classRef, methodName }: MethodRef): (...args: unknown[]) => unknown {
  return classRef.prototype[methodName];
}
