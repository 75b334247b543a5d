import type { JsonObject } from '@mocapi/core';
import type { PipeTransform, Type } from '@nestjs/common';

/** A pipe of one parameter, as an instance or as a class. */
export type Pipe = PipeTransform | Type<PipeTransform>;

/** One request: the arguments, and the HTTP headers that come with them. */
export interface Input {
  readonly args: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A parameter that takes one member of the arguments: `@Body(name, …pipes)` and `@McpArg(name, { schema, pipes })`. */
export interface SingleParam {
  readonly name: string;
  /** The schema of the argument, for MCP alone. REST has none. */
  readonly schema?: JsonObject | Type<object> | 'string' | 'number' | 'integer' | 'boolean';
  /** Whether the argument is required. @default true */
  readonly required?: boolean;
}

/** Where a row puts its enhancers. The same ones stand on the route and on every handler of MCP. */
export interface Enhancers {
  readonly onClass?: readonly ClassDecorator[];
  readonly onMethod?: readonly MethodDecorator[];
  readonly pipes?: readonly Pipe[];
}

/** One thing under comparison, with its requests. It is data: `makeSurface` builds the handlers. */
export interface Row {
  /** Unique among all rows. */
  readonly name: string;
  /** The type of the handler's parameter: a DTO, or `String`, `Number`, `Boolean`, `Object` for a single parameter. */
  readonly type: unknown;
  readonly inputs: Readonly<Record<string, Input>>;
  /**
   * On which carriers its inputs are sent: on all; as a call of a tool and on one of the others by turns; on one of all by turns; or as a call of a tool alone.
   * @default 'all'
   */
  readonly carriers?: 'all' | 'by turns' | 'one' | 'tool';
  readonly param?: SingleParam;
  readonly enhancers?: Enhancers;
  /**
   * The pipes of the route where the handlers of MCP have none: a handler without a pipe gets a validated instance of its DTO, so the route that it is
   * compared with validates, too.
   */
  readonly routePipes?: readonly Pipe[];
  /** What the handler does with its value. @default answers "entered" */
  readonly body?: (value: unknown) => unknown;
  /** What an error of the body says, for filters that answer HTTP without a message. */
  readonly original?: string;
  /** The names of properties as clients send them, and as the class calls them: MCP names what was sent, class-validator what it got. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** Rows that are reported on one line. */
export interface Group {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** The inputs of a row that has no headers. */
export function values(table: Readonly<Record<string, JsonObject>>): Record<string, Input> {
  return Object.fromEntries(Object.entries(table).map(([name, args]) => [name, { args }]));
}
