import { McpField } from '@mocapi/core';
import { Type } from 'class-transformer';
import * as v from 'class-validator';
import type { Group } from '../../model/row.js';
import { rowsOf, type Rule } from './one-rule.js';

enum Colour {
  Red = 'red',
  Blue = 'blue',
}

enum Level {
  Low = 1,
  High = 2,
}

const NUMBERS: readonly Rule[] = [
  { name: 'IsInt', decorate: v.IsInt(), valid: [1, -1, 1e3, 1.0], invalid: [1.5] },
  { name: 'IsNumber', decorate: v.IsNumber(), valid: [1.5, 0], invalid: ['1.5'] },
  { name: 'IsNumber(maxDecimalPlaces)', decorate: v.IsNumber({ maxDecimalPlaces: 2 }), valid: [1.25, 3], invalid: [1.255] },
  { name: 'IsPositive', decorate: v.IsPositive(), valid: 0.1, invalid: [0, -1] },
  { name: 'IsNegative', decorate: v.IsNegative(), valid: -0.1, invalid: [0, 1] },
  { name: 'Min', decorate: v.Min(2), valid: 2, invalid: [1.9] },
  { name: 'Max', decorate: v.Max(2), valid: 2, invalid: [2.1] },
  { name: 'IsDivisibleBy', decorate: v.IsDivisibleBy(5), valid: [10, 0], invalid: [7] },
  { name: 'IsLatitude', decorate: v.IsLatitude(), valid: [52.5, '52.5'], invalid: [91] },
  { name: 'IsLongitude', decorate: v.IsLongitude(), valid: [13.4, '-13.4'], invalid: [181] },
  { name: 'IsEnum(numbers)', decorate: v.IsEnum(Level), valid: 2, invalid: [3] },
];

/** Rules that say nothing of the type stand on a property of type `string`. */
const TEXTS: readonly Rule[] = [
  { name: 'IsDefined', decorate: v.IsDefined(), valid: ['a', ''] },
  { name: 'IsOptional', decorate: v.IsOptional(), valid: 'a' },
  { name: 'Allow', decorate: v.Allow(), valid: 'a' },
  { name: 'IsNotEmpty', decorate: v.IsNotEmpty(), valid: 'a', invalid: [''] },
  { name: 'NotEquals', decorate: v.NotEquals('a'), valid: 'b', invalid: ['a'] },
  { name: 'IsNotIn', decorate: v.IsNotIn(['a', 'b']), valid: 'c', invalid: ['a'] },
  { name: 'IsEmpty', decorate: v.IsEmpty(), valid: '', invalid: ['a'] },
];

/** The same on a property of any type, whose schema is given by hand. */
const ANYTHING: readonly Rule[] = [
  { name: 'IsBoolean', decorate: v.IsBoolean(), valid: [true, false], invalid: ['true', 1] },
  { name: 'IsDefined(any)', decorate: [McpField({ schema: {} }), v.IsDefined()], valid: ['a', 0, false] },
  { name: 'IsNotEmpty(any)', decorate: [McpField({ schema: {} }), v.IsNotEmpty()], valid: ['a', 0, [1]], invalid: [''] },
  { name: 'NotEquals(any)', decorate: [McpField({ schema: {} }), v.NotEquals(1)], valid: [2, '1'], invalid: [1] },
  { name: 'IsEmpty(any)', decorate: [McpField({ schema: {} }), v.IsEmpty()], valid: [''], invalid: ['a', 0] },
  { name: 'Equals', decorate: v.Equals('a'), valid: 'a', invalid: ['b'] },
  { name: 'IsIn', decorate: v.IsIn(['a', 1, true]), valid: ['a', 1], invalid: ['b'] },
  { name: 'IsEnum', decorate: v.IsEnum(Colour), valid: 'red', invalid: ['Red', 'green'] },
  { name: 'IsObject', decorate: v.IsObject(), valid: [{ a: 1 }, {}], invalid: [[1]] },
  { name: 'IsNotEmptyObject', decorate: v.IsNotEmptyObject(), valid: { a: 1 }, invalid: [{}] },
];

const LISTS: readonly Rule[] = [
  { name: 'IsArray', decorate: [v.IsInt({ each: true }), v.IsArray()], valid: [[1], []], invalid: [{ 0: 1 }] },
  {
    name: 'ArrayContains',
    decorate: [v.IsString({ each: true }), v.ArrayContains(['a', 'b'])],
    valid: [['a', 'b', 'c']],
    invalid: [['a']],
  },
  { name: 'ArrayNotContains', decorate: [v.IsString({ each: true }), v.ArrayNotContains(['a'])], valid: [['b']], invalid: [['a', 'b']] },
  { name: 'ArrayNotEmpty', decorate: [v.IsInt({ each: true }), v.ArrayNotEmpty()], valid: [[1]], invalid: [[]] },
  { name: 'ArrayMinSize', decorate: [v.IsInt({ each: true }), v.ArrayMinSize(2)], valid: [[1, 2]], invalid: [[1]] },
  { name: 'ArrayMaxSize', decorate: [v.IsInt({ each: true }), v.ArrayMaxSize(1)], valid: [[1], []], invalid: [[1, 2]] },
  { name: 'ArrayUnique', decorate: [v.IsInt({ each: true }), v.ArrayUnique()], valid: [[1, 2]], invalid: [[1, 1]] },
  {
    name: 'ArrayUnique(key)',
    decorate: [v.IsObject({ each: true }), v.ArrayUnique((item: { id: number }) => item.id)],
    valid: [[{ id: 1 }, { id: 2 }]],
    invalid: [[{ id: 1, a: 1 }, { id: 1 }]],
  },
  { name: 'IsString(each)', decorate: v.IsString({ each: true }), valid: [['a'], []], invalid: [['a', 1]] },
  { name: 'IsInt(each)', decorate: [v.IsArray(), v.IsInt({ each: true })], valid: [[1, 2]], invalid: [[1, 'x'], [null]] },
  { name: 'IsEnum(each)', decorate: v.IsEnum(Colour, { each: true }), valid: [['red']], invalid: [['green']] },
];

const DATES: readonly Rule[] = [
  { name: 'IsDate', decorate: [Type(() => Date), v.IsDate()], valid: ['2026-12-24', '2026-12-24T10:00:00Z', 0], invalid: ['soon'] },
  {
    name: 'MinDate',
    decorate: [Type(() => Date), v.MinDate(new Date('2026-01-01'))],
    valid: '2026-12-24T10:00:00Z',
    invalid: ['2025-01-01T00:00:00Z'],
  },
  {
    name: 'MaxDate',
    decorate: [Type(() => Date), v.MaxDate(new Date('2026-01-01'))],
    valid: '2025-01-01T00:00:00Z',
    invalid: ['2026-12-24T10:00:00Z'],
  },
];

/** Rules for numbers, lists, dates and values of any type. */
export const valueRules: Group = {
  name: 'rules for other values',
  rows: [
    ...rowsOf(Number, NUMBERS),
    ...rowsOf(String, TEXTS),
    ...rowsOf(Object, ANYTHING),
    ...rowsOf(Array, LISTS),
    ...rowsOf(Date, DATES),
  ],
};
