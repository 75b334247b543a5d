import { NestKey } from '../nest/metadata.js';
import type { PipeTransform, Type } from '@nestjs/common';
import type { JsonValue } from '../protocol/json.js';
import type { PrimitiveType } from '../schema/arguments-schema.js';
import type { EnumObject } from '../schema/enum-values.js';
import type { SchemaSource } from '../schema/schema-source.js';
import { PARAMS_METADATA, ParamKind, SCANNED_PIPES, type ParamMetadata, type ParamsMetadata } from './handler-metadata.js';

/** A pipe for one parameter, as Nest's own parameter decorators take it. */
export type ParamPipe = PipeTransform | Type<PipeTransform>;

/** The options of `@McpArgs`. */
export interface McpArgsOptions {
  /** Schema of the whole arguments object. @default the parameter's class */
  readonly schema?: SchemaSource;
  readonly pipes?: readonly ParamPipe[];
}

/** The options of `@McpArg`. */
export interface McpArgOptions {
  /** @default the parameter's type, if it is `string`, `number` or `boolean`; any other type must be stated here */
  readonly schema?: SchemaSource | PrimitiveType;
  /** The TypeScript enum that is the parameter's type, in place of `schema`: compilers emit it as `String` or `Number`, without its values. */
  readonly enum?: EnumObject;
  /** For the model. */
  readonly description?: string;
  /** Makes the argument optional. The default is advertised, and passed to the method if the argument is missing. */
  readonly default?: JsonValue;
  /** @default true, unless there is a default */
  readonly required?: boolean;
  /**
   * Clients repeat the argument in the header `Mcp-Param-<header>`, by which proxies can route: a string, an integer
   * or a boolean, nothing secret. Only for tools (MCP transports "Custom headers from tool parameters").
   */
  readonly header?: string;
  readonly pipes?: readonly ParamPipe[];
}

/** The `data` that `@McpArg` stores for its parameter. */
export interface McpArgData extends Omit<McpArgOptions, 'pipes'> {
  readonly name: string;
}

/**
 * The whole arguments object, checked, with defaults filled in, as an instance of its DTO if it has one.
 * @param given options, or pipes for the parameter as `@Body()` takes them
 */
export function McpArgs(...given: [McpArgsOptions?] | ParamPipe[]): ParameterDecorator {
  const options = optionsOf<McpArgsOptions>(given);
  const { pipes = [], schema } = options;
  return mark(ParamKind.Args, { data: undefined, pipes, schema, options });
}

/**
 * One argument by name.
 * @param given options, or pipes for the parameter as `@Body('name')` takes them
 */
export function McpArg(name: string, ...given: [McpArgOptions?] | ParamPipe[]): ParameterDecorator {
  const options = optionsOf<McpArgOptions>(given);
  const { pipes = [], ...rest } = options;
  const data: McpArgData = { name, ...rest };
  return mark(ParamKind.Arg, { data, pipes, options });
}

function optionsOf<T extends object>(given: readonly (T | ParamPipe | undefined)[]): T & { readonly pipes?: readonly ParamPipe[] } {
  const [first = {} as T] = given;
  return isPipe(first) ? ({ pipes: given } as T & { pipes: readonly ParamPipe[] }) : first;
}

function isPipe(value: object): value is ParamPipe {
  return typeof value === 'function' || ('transform' in value && typeof value.transform === 'function');
}

/** The `McpToolContext` of this execution, or outside of tools the `McpHandlerContext`. Declare it with that interface type, so that pipes ignore it. */
export function McpContext(): ParameterDecorator {
  return mark(ParamKind.Context, { data: undefined, pipes: [] });
}

function mark(kind: number, metadata: Omit<ParamMetadata, 'index'>): ParameterDecorator {
  return (target, key, index) => {
    if (key === undefined) throw new TypeError('@McpArgs, @McpArg and @McpContext belong on the parameters of a method');
    const former: ParamsMetadata = Reflect.getMetadata(PARAMS_METADATA, target.constructor, key) ?? {};
    Reflect.defineMetadata(PARAMS_METADATA, { ...former, [`${kind}:${index}`]: { index, ...metadata } }, target.constructor, key);
    showToScanner(metadata.pipes, `${kind}:${index}`, { target, key });
  };
}

/**
 * Registers pipes that are given as classes with Nest, as for a route's parameters. Index -1 belongs to no parameter,
 * in case the method is a route too.
 */
function showToScanner(pipes: readonly unknown[], param: string, { target, key }: { target: object; key: string | symbol }): void {
  const classes = pipes.filter((pipe) => typeof pipe === 'function');
  if (classes.length === 0) return;
  const former: ParamsMetadata = Reflect.getMetadata(NestKey.RouteArgs, target.constructor, key) ?? {};
  const entry: ParamMetadata = { index: -1, data: undefined, pipes: classes };
  Reflect.defineMetadata(NestKey.RouteArgs, { ...former, [`${SCANNED_PIPES}${param}`]: entry }, target.constructor, key);
}
