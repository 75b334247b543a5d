import type { ArgumentMetadata, ExecutionContext, PipeTransform } from '@nestjs/common';
import type { McpArgData } from '../../decorators/mcp-params.decorators.js';
import { ParamKind, type ParamMetadata } from '../../decorators/handler-metadata.js';
import type { CompiledSchema } from '../../schema/compiled-schema.js';
import { isThenable, whenReady, type MaybePromise } from '../../protocol/maybe-promise.js';
import { finishArgument } from './finish.pipe.js';
import { paramValue } from './params-factory.js';
import type { CallPass } from './pass-scope.js';
import { markedParams } from '../boot/prepare-handler.js';
import { paramTypesOf, type MethodRef } from '../../nest/metadata.js';
import type { FixedEnhancers } from './nest-internals.js';

/** One parameter of a handler: where its value comes from, and what makes of it what the method gets. */
export interface CompiledParam {
  readonly index: number;
  /** Whether its decorator was made by `createParamDecorator`, and so sees the context. */
  readonly isCustom: boolean;
  /** The value before any pipe; may be a promise. */
  extract(current: CallPass, context: () => ExecutionContext): unknown;
  readonly pipes: readonly PipeTransform[];
  /** The metadata that the pipes get about the parameter. */
  readonly metadata: ArgumentMetadata;
  /** Makes the DTO of the parameter, unless a pipe has, and refuses a text that no pipe has converted. Undefined: the parameter takes no arguments. */
  readonly finish: ((value: unknown, schema: CompiledSchema) => unknown) | undefined;
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

type Source = Pick<CompiledParam, 'isCustom' | 'extract' | 'finish'> & { readonly type: ArgumentMetadata['type']; readonly data: unknown };

function ours(kind: number, param: ParamMetadata): Source {
  const isArg = kind === ParamKind.Arg;
  const takesArguments = isArg || kind === ParamKind.Args;
  // One of the arguments is to a pipe what `@Body('name')` is on a route: a part of the body, with the name as `data`.
  const data = isArg ? (param.data as McpArgData).name : param.data;
  const name = isArg ? (data as string) : undefined;
  const from = isArg ? ParamKind.Args : kind;
  return {
    type: takesArguments ? 'body' : 'custom',
    data,
    isCustom: false,
    extract: (current) => paramValue(from, data, current),
    finish: takesArguments ? (value, schema) => finishArgument(value, name, schema) : undefined,
  };
}

function custom({ factory, data }: ParamMetadata): Source {
  const extract: CompiledParam['extract'] =
    typeof factory === 'function' ? (_current, context) => (factory as Factory)(data, context()) : () => null;
  return { type: 'custom', data, isCustom: true, extract, finish: undefined };
}

/**
 * The arguments that the method is called with; at once where nothing waits. As in Nest, parameters do not wait for one another.
 * @throws what a factory or pipe throws; InvalidArgumentsError when class-validator refuses a DTO
 */
export function bindParams(params: readonly CompiledParam[], current: CallPass, context: () => ExecutionContext): MaybePromise<unknown[]> {
  const bound: unknown[] = [];
  let waiting: PromiseLike<void>[] | undefined;
  for (const param of params) {
    let value: unknown;
    try {
      value = bindParam(param, current, context);
    } catch (error) {
      if (!waiting) throw error;
      value = Promise.reject(error);
    }
    if (isThenable(value)) (waiting ??= []).push(value.then((settled) => void (bound[param.index] = settled)));
    else bound[param.index] = value;
  }
  return waiting ? Promise.all(waiting).then(() => bound) : bound;
}

function bindParam(param: CompiledParam, current: CallPass, context: () => ExecutionContext): unknown {
  const piped = throughPipes(param, param.extract(current, context), 0);
  const { finish } = param;
  return finish ? whenReady(piped, (value) => finish(value, current.call.handler.inputSchema)) : piped;
}

function throughPipes({ pipes, metadata }: CompiledParam, value: unknown, from: number): unknown {
  let result = value;
  for (let index = from; index < pipes.length; index += 1) {
    if (isThenable(result)) return result.then((settled) => throughPipes({ pipes, metadata } as CompiledParam, settled, index));
    result = pipes[index]!.transform(result, { ...metadata });
  }
  return result;
}
