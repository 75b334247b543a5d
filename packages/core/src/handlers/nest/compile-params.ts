import type { ArgumentMetadata, ExecutionContext, PipeTransform } from '@nestjs/common';
import type { McpArgData } from '../../decorators/mcp-params.decorators.js';
import { ParamKind, type ParamMetadata } from '../../decorators/handler-metadata.js';
import { isThenable, whenReady, type MaybePromise } from '../../protocol/maybe-promise.js';
import { finishArgument } from './finish.pipe.js';
import { currentPass } from './boundary.interceptor.js';
import type { HandlerCall } from '../run/handler-call.js';
import type { CallPass } from '../run/run-pass.js';
import { isJsonObject } from '../../protocol/json.js';
import { handlerContext } from '../context/handler-context.js';
import { markedParams } from './prepare-handler.js';
import { paramTypesOf, type MethodRef } from '../../nest/metadata.js';
import type { FixedEnhancers } from './nest-internals.js';

/** One parameter of a handler: where its value comes from, and what makes of it what the method gets. */
export interface CompiledParam {
  readonly index: number;
  /** Gives the value of a parameter whose decorator was made by `createParamDecorator`, and so sees the context; undefined: the decorator is ours. */
  readonly custom: ((context: ExecutionContext) => unknown) | undefined;
  /** The kind of our decorator: where the value before any pipe comes from. */
  readonly from: number | undefined;
  readonly pipes: readonly PipeTransform[];
  /** The metadata that the pipes get about the parameter. */
  readonly metadata: ArgumentMetadata;
  /** The argument that it takes, or all of them without a name: a DTO may be made of it behind the pipes. Undefined: it takes none. */
  readonly argument: { readonly name: string | undefined } | undefined;
}

/** Makes the context that a parameter decorator sees. */
export interface ContextMaker {
  context(call: HandlerCall): ExecutionContext;
}

/** The factory that a parameter decorator of Nest's stores. */
type Factory = (data: unknown, context: ExecutionContext) => unknown;

/** Reads a handler's parameters once, at boot, in the order in which they were declared. */
export function compileParams(ref: MethodRef, enhancers: FixedEnhancers): readonly CompiledParam[] {
  const types = paramTypesOf(ref);
  return Object.entries(markedParams(ref)).map(([key, param]) => {
    const kind = Number(key.split(':')[0]);
    const pipes = [...enhancers.pipes, ...enhancers.paramPipes(param.pipes ?? [])];
    const source = Number.isNaN(kind) ? custom(param) : ours(kind, param);
    const { type, data } = source;
    const metadata = { metatype: types?.[param.index], type, data, schema: param.schema } as ArgumentMetadata;
    return { ...source, index: param.index, pipes, metadata };
  });
}

type Source = Pick<CompiledParam, 'custom' | 'from' | 'argument'> & Pick<ArgumentMetadata, 'type' | 'data'>;

function ours(kind: number, param: ParamMetadata): Source {
  const isArg = kind === ParamKind.Arg;
  // One of the arguments is to a pipe what `@Body('name')` is on a route: a part of the body, with the name as `data`.
  const data = isArg ? (param.data as McpArgData).name : (param.data as string | undefined);
  if (!isArg && kind !== ParamKind.Args) return { type: 'custom', data, custom: undefined, from: kind, argument: undefined };
  return { type: 'body', data, custom: undefined, from: ParamKind.Args, argument: { name: isArg ? data : undefined } };
}

function custom({ factory, data }: ParamMetadata): Source {
  const give = typeof factory === 'function' ? (context: ExecutionContext) => (factory as Factory)(data, context) : () => null;
  return { type: 'custom', data: data as string, custom: give, from: undefined, argument: undefined };
}

/**
 * The arguments that the method is called with; at once where nothing waits. As in Nest, parameters do not wait for one another.
 * @throws what a factory or pipe throws; InvalidArgumentsError when class-validator refuses a DTO
 */
export function bindParams(params: readonly CompiledParam[], current: CallPass, seen: ContextMaker): MaybePromise<unknown[]> {
  const bound: unknown[] = [];
  let waiting: PromiseLike<void>[] | undefined;
  const { inputSchema } = current.call.handler;
  // Most schemas leave nothing to be made or refused behind the pipes.
  const finishes = inputSchema.converted !== undefined || inputSchema.dtos.length > 0;
  for (const param of params) {
    const { custom: give, from, metadata, pipes, argument } = param;
    let value: unknown;
    try {
      value = give ? give(seen.context(current.call)) : paramValue(from, metadata.data, current);
      if (pipes.length > 0) value = throughPipes(param, value, 0);
      if (finishes && argument) value = whenReady(value, (settled) => finishArgument(settled, argument.name, inputSchema));
    } catch (error) {
      if (!waiting) throw error;
      value = Promise.reject(error);
    }
    if (isThenable(value)) (waiting ??= []).push(value.then((settled) => void (bound[param.index] = settled)));
    else bound[param.index] = value;
  }
  return waiting ? Promise.all(waiting).then(() => bound) : bound;
}

function throughPipes({ pipes, metadata }: CompiledParam, value: unknown, from: number): unknown {
  let result = value;
  for (let index = from; index < pipes.length; index += 1) {
    if (isThenable(result)) return result.then((settled) => throughPipes({ pipes, metadata } as CompiledParam, settled, index));
    result = pipes[index]!.transform(result, { ...metadata });
  }
  return result;
}

/** Gives Nest's pipeline the values of the parameters that our decorators mark. Called inside the boundary, once per pass. */
export const paramsFactory = {
  exchangeKeyForValue: (kind: number, data: unknown): unknown => paramValue(kind, data, currentPass()),
};

/** The value of a parameter that one of our decorators marks. */
export function paramValue(kind: number | undefined, data: unknown, current: CallPass): unknown {
  switch (kind) {
    case ParamKind.Args: {
      const { args } = current.pass;
      if (typeof data !== 'string') return args;
      return isJsonObject(args) && Object.hasOwn(args, data) ? args[data] : undefined;
    }
    case ParamKind.Context:
      return handlerContext(current);
    default:
      return undefined;
  }
}
