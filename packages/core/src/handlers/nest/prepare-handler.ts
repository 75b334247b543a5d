import { UseGuards, UseInterceptors } from '@nestjs/common';
import { PARAMS_METADATA, ParamKind, SCANNED_PIPES, type ParamMetadata, type ParamsMetadata } from '../../decorators/handler-metadata.js';
import { NestKey, enhancersOn, methodOf, setEnhancers, type MethodRef } from '../../nest/metadata.js';
import { BOUNDARY } from './boundary.interceptor.js';
import { ENDPOINT_GUARD, GUARDS_PASSED_GUARD } from './framework-guards.js';
import type { McpArgData } from '../../decorators/mcp-params.decorators.js';
import { finishPipe } from './finish.pipe.js';
import { gatePipe } from './gate.pipe.js';

/** Under this key Nest's pipeline reads the parameters of a prepared handler: the author's, each with the framework's pipes behind its own. */
export const PREPARED_PARAMS_METADATA = 'mocapi:prepared-params';

/**
 * Puts the framework's guards, the boundary and the gate into a handler's metadata, at boot. Repeating it changes nothing: the
 * guards and the boundary are once per function and class, the parameters once per class and method, since subclasses share the function object.
 */
export function prepareHandler(ref: MethodRef): void {
  const method = methodOf(ref);
  prependClassGuard(ref.classRef);
  if (!enhancersOn(method, NestKey.Guards).includes(GUARDS_PASSED_GUARD))
    UseGuards(GUARDS_PASSED_GUARD)({}, ref.methodName, { value: method });
  if (!enhancersOn(method, NestKey.Interceptors).includes(BOUNDARY)) UseInterceptors(BOUNDARY)({}, ref.methodName, { value: method });
  if (!Reflect.hasOwnMetadata(PREPARED_PARAMS_METADATA, ref.classRef, ref.methodName)) {
    Reflect.defineMetadata(PREPARED_PARAMS_METADATA, gatedParams(markedParams(ref)), ref.classRef, ref.methodName);
  }
}

/** Every parameter that a decorator of ours or of Nest marks, by `<kind>:<index>`. */
export function markedParams({ classRef, methodName }: MethodRef): ParamsMetadata {
  const ofNest: ParamsMetadata = Reflect.getMetadata(NestKey.RouteArgs, classRef, methodName) ?? {};
  const ofOurs: ParamsMetadata = Reflect.getMetadata(PARAMS_METADATA, classRef, methodName) ?? {};
  return {
    ...Object.fromEntries(Object.entries(ofNest).filter(([key]) => !key.startsWith(SCANNED_PIPES))),
    ...ofOurs,
  };
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
  const guards = enhancersOn(classRef, NestKey.Guards);
  if (!guards.includes(ENDPOINT_GUARD)) setEnhancers(classRef, NestKey.Guards, [ENDPOINT_GUARD, ...guards]);
}
