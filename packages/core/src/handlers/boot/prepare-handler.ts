import { UseGuards, UseInterceptors } from '@nestjs/common';
import {
  PARAMS_METADATA,
  ParamKind,
  ROUTE_ARGS_METADATA,
  SCANNED_PIPES,
  type ParamMetadata,
  type ParamsMetadata,
} from '../../decorators/handler-metadata.js';
import { BOUNDARY } from '../nest/boundary.interceptor.js';
import { ENDPOINT_GUARD, GUARDS_PASSED_GUARD } from '../nest/framework-guards.js';
import type { McpArgData } from '../../decorators/mcp-params.decorators.js';
import { finishPipe } from '../nest/finish.pipe.js';
import { gatePipe } from '../nest/gate.pipe.js';

/** Nest's metadata keys that have no public name: the guards and interceptors in force. */
const GUARDS_METADATA = '__guards__';
const INTERCEPTORS_METADATA = '__interceptors__';

/** Under this key Nest's pipeline reads the parameters of a prepared handler: the author's, each with the framework's pipes behind its own. */
export const PREPARED_PARAMS_METADATA = 'mocapi:prepared-params';

/** A handler's class and the name of its method. */
export interface HandlerRef {
  readonly classRef: abstract new (...args: never[]) => unknown;
  readonly methodName: string;
}

/**
 * Puts the framework's guards, the boundary and the gate into a handler's metadata, at boot. Repeating it changes nothing: the
 * guards and the boundary are once per function and class, the parameters once per class and method, since subclasses share the function object.
 */
export function prepareHandler(ref: HandlerRef): void {
  const method = methodOf(ref);
  prependClassGuard(ref.classRef);
  if (!has(method, GUARDS_METADATA, GUARDS_PASSED_GUARD)) UseGuards(GUARDS_PASSED_GUARD)({}, ref.methodName, { value: method });
  if (!has(method, INTERCEPTORS_METADATA, BOUNDARY)) UseInterceptors(BOUNDARY)({}, ref.methodName, { value: method });
  if (!Reflect.hasOwnMetadata(PREPARED_PARAMS_METADATA, ref.classRef, ref.methodName)) {
    Reflect.defineMetadata(PREPARED_PARAMS_METADATA, gatedParams(markedParams(ref)), ref.classRef, ref.methodName);
  }
}

/** Every parameter that a decorator of ours or of Nest marks, by `<kind>:<index>`. */
export function markedParams({ classRef, methodName }: HandlerRef): ParamsMetadata {
  const ofNest = (Reflect.getMetadata(ROUTE_ARGS_METADATA, classRef, methodName) ?? {}) as ParamsMetadata;
  return {
    ...Object.fromEntries(Object.entries(ofNest).filter(([key]) => !key.startsWith(SCANNED_PIPES))),
    ...(Reflect.getMetadata(PARAMS_METADATA, classRef, methodName) as ParamsMetadata | undefined),
  };
}

/** The function that a class's prototype has under the method's name. */
export function methodOf({ classRef, methodName }: HandlerRef): (...args: unknown[]) => unknown {
  return (classRef.prototype as Record<string, (...args: unknown[]) => unknown>)[methodName]!;
}

function gatedParams(marked: ParamsMetadata): ParamsMetadata {
  const params = Object.entries(marked);
  // A method without parameters gets one, so that there is a pipe to hold the gate; its extra `undefined` argument does no harm.
  const gated: [string, ParamMetadata][] = params.length > 0 ? params : [[`${ParamKind.Gate}:0`, { index: 0, data: undefined, pipes: [] }]];
  const gate = gatePipe(gated.length);
  return Object.fromEntries(
    gated.map(([key, param]) => {
      const [kind, index] = key.split(':');
      const isArg = Number(kind) === ParamKind.Arg;
      const finish = isArg || Number(kind) === ParamKind.Args ? [finishPipe(isArg ? (param.data as McpArgData).name : undefined)] : [];
      const prepared = { ...param, pipes: [...(param.pipes ?? []), ...finish, gate] };
      // One of the arguments is to a pipe what `@Body('name')` is on a route: a part of the body, with the name as `data`.
      return isArg ? [`${ParamKind.Args}:${index}`, { ...prepared, data: (param.data as McpArgData).name }] : [key, prepared];
    }),
  );
}

function prependClassGuard(classRef: object): void {
  if (has(classRef, GUARDS_METADATA, ENDPOINT_GUARD)) return;
  const guards = (Reflect.getMetadata(GUARDS_METADATA, classRef) ?? []) as unknown[];
  Reflect.defineMetadata(GUARDS_METADATA, [ENDPOINT_GUARD, ...guards], classRef);
}

function has(target: object, key: string, enhancer: unknown): boolean {
  return ((Reflect.getMetadata(key, target) ?? []) as unknown[]).includes(enhancer);
}
