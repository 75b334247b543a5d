import type { JsonValue } from '@mocapi/core';
import { values, type Row } from '../../model/row.js';

/** A decorator of class-validator with a value that it takes and some that it refuses. */
export interface Rule {
  /** The exported name of the decorator, with what tells it from other uses of it. */
  readonly name: string;
  readonly decorate: PropertyDecorator | readonly PropertyDecorator[];
  readonly valid: JsonValue | readonly JsonValue[];
  readonly invalid?: readonly JsonValue[];
}

/** What TypeScript would say of the property's type. */
type Declared = typeof String | typeof Number | typeof Boolean | typeof Array | typeof Object | typeof Date;

/**
 * Rows of DTOs with one property each, which has one rule. Each is tried with what the rule takes and refuses, and with null, nothing, and values of other types.
 * The carriers take turns: a carrier brings arguments, and does not judge them.
 */
export function rowsOf(declared: Declared, rules: readonly Rule[]): Row[] {
  return rules.map((rule) => rowOf(declared, rule));
}

function rowOf(declared: Declared, { name, decorate, valid, invalid = [] }: Rule): Row {
  const taken = (Array.isArray(valid) ? valid : [valid]) as readonly JsonValue[];
  const good = taken.map((value, index) => [`valid ${index}`, { value }] as const);
  const bad = invalid.map((value, index) => [`invalid ${index}`, { value }] as const);
  const odd = Object.entries({ 'a text': 'odd', 'a number': 7, 'a list': ['odd'], null: null });
  const others = odd.map(([what, value]) => [what, { value }] as const);
  return {
    name: `@${name}`,
    type: dtoWith(declared, name, decorate),
    inputs: values(Object.fromEntries([...good, ...bad, ...others, ['absent', {}]])),
    carriers: 'by turns',
  };
}

function dtoWith(declared: Declared, name: string, decorate: Rule['decorate']): unknown {
  const title = `${name.replaceAll(/\W/g, '')}Dto`;
  const made = { [title]: class {} }[title]!;
  Reflect.defineMetadata('design:type', declared, made.prototype, 'value');
  const decorators = (Array.isArray(decorate) ? decorate : [decorate]) as readonly PropertyDecorator[];
  for (const decorator of decorators.toReversed()) decorator(made.prototype, 'value');
  return made;
}
