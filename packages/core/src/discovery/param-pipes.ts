import {
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
} from '@nestjs/common';
import type { JsonObject, JsonValue } from '../protocol/json.js';
import type { PrimitiveType } from '../schema/arguments-schema.js';
import { enumSchema, type EnumObject } from '../schema/enum-values.js';
import type { SchemaSource } from '../schema/schema-source.js';

/** An argument that its own pipes check, as on a route: its advertised schema, and the values that the pipes get. */
export interface PipedArgument {
  readonly source: SchemaSource;
  /** Accepts what `source` accepts, and what the pipes may convert to it. */
  readonly checked: JsonObject;
  /** The type to which the pipes must have converted a string; undefined: any value that they return is right. */
  readonly converted?: 'number' | 'boolean';
}

type PipeClass = abstract new (...args: never[]) => unknown;

/** Fields in which Nest's pipes keep their options. */
interface PipeFields {
  readonly options?: { readonly optional?: boolean; readonly default?: unknown; readonly items?: unknown };
  readonly enumType?: EnumObject;
  readonly defaultValue?: unknown;
}

const ITEMS = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
]);

const TEXT_OR_NUMBER = { type: ['string', 'number'] };

/**
 * Derives the schema of an argument from its pipes and its TypeScript type.
 * @param pipes the pipes of the parameter, those given as classes as their instances
 * @returns undefined when neither says it
 */
export function pipedArgument(pipes: readonly unknown[], type: PrimitiveType | undefined): PipedArgument | undefined {
  const said = byNestPipe(pipes) ?? byType(type);
  return said && takesAbsent(pipes) ? { ...said, checked: withNull(said.checked) } : said;
}

/** A pipe that takes an absent argument takes `null` for one, which models like to send. */
function withNull(checked: JsonObject): JsonObject {
  return { ...checked, type: [checked['type'] ?? [], 'null'].flat() };
}

function byNestPipe(pipes: readonly unknown[]): PipedArgument | undefined {
  const array = find(pipes, ParseArrayPipe);
  if (array) {
    const items = ITEMS.get(array.options?.items);
    return { source: items ? { type: 'array', items: { type: items } } : { type: 'array' }, checked: { type: ['array', 'string'] } };
  }
  const listed = find(pipes, ParseEnumPipe)?.enumType;
  if (listed) return { source: enumSchema(listed), checked: TEXT_OR_NUMBER };
  if (find(pipes, ParseDatePipe)) return { source: { type: 'string', format: 'date-time' }, checked: TEXT_OR_NUMBER };
  if (find(pipes, ParseUUIDPipe)) return { source: { type: 'string', format: 'uuid' }, checked: { type: 'string' } };
  if (find(pipes, ParseIntPipe)) return byType('integer');
  if (find(pipes, ParseFloatPipe)) return byType('number');
  return find(pipes, ParseBoolPipe) ? byType('boolean') : undefined;
}

/** Text is what a route's pipe gets; of anything else there is no reason to guess that a pipe takes it. */
function byType(type: PrimitiveType | undefined): PipedArgument | undefined {
  if (type === undefined) return undefined;
  if (type === 'string') return { source: { type }, checked: { type } };
  return { source: { type }, checked: { type: [type, 'string'] }, converted: type === 'boolean' ? type : 'number' };
}

/** Whether the pipes take an absent argument: one gives it a value, or says that it is optional. */
export function takesAbsent(pipes: readonly unknown[]): boolean {
  if (find(pipes, DefaultValuePipe)) return true;
  return pipes.some(
    (pipe) => isNestPipe(pipe) && (Boolean(fieldsOf(pipe).options?.optional) || fieldsOf(pipe).options?.default !== undefined),
  );
}

/** The value of a `DefaultValuePipe`, if the schema can state it: it has the advertised type. */
export function defaultByPipe(pipes: readonly unknown[], type: unknown): JsonValue | undefined {
  const value = find(pipes, DefaultValuePipe)?.defaultValue;
  const isStated = type === 'integer' ? Number.isSafeInteger(value) : type === 'number' ? Number.isFinite(value) : typeof value === type;
  return isStated && isScalar(value) ? value : undefined;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

const NEST_PIPES: readonly PipeClass[] = [
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
];

function isNestPipe(pipe: unknown): boolean {
  return NEST_PIPES.some((known) => isOf(pipe, known));
}

function find(pipes: readonly unknown[], known: PipeClass): PipeFields | undefined {
  const found = pipes.find((pipe) => isOf(pipe, known));
  return found === undefined ? undefined : fieldsOf(found);
}

function fieldsOf(pipe: unknown): PipeFields {
  return pipe as PipeFields;
}

function isOf(pipe: unknown, known: PipeClass): boolean {
  return pipe instanceof known || (typeof pipe === 'function' && (pipe === known || pipe.prototype instanceof known));
}
