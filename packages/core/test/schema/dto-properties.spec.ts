import { Type } from 'class-transformer';
import {
  Allow,
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  ArrayUnique,
  Contains,
  Equals,
  IsArray,
  IsBoolean,
  IsBooleanString,
  IsDate,
  IsDateString,
  IsDefined,
  IsDivisibleBy,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsIP,
  IsISO8601,
  IsMongoId,
  IsNegative,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNotIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsPhoneNumber,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  NotEquals,
  ValidateIf,
} from 'class-validator';
import { McpField } from '../../src/schema/dto/field-options.js';
import { input, propertyOf } from './support.js';

enum Colour {
  Red = 'red',
  Green = 'green',
}
enum Level {
  Low,
  High,
}

class Everything {
  @IsString() string!: string;
  @MinLength(2) @MaxLength(5) bounded!: string;
  @Length(3, 9) length!: string;
  @Matches(/^[a-z-]+$/) pattern!: string;
  @Matches(/a/) @Matches(/b/) patterns!: string;
  @Contains('a.b') contains!: string;
  @IsNotEmpty() notEmpty!: string;
  @IsString() @IsNotEmpty() @MinLength(4) notEmptyAndLong!: string;
  @IsNotEmpty() notEmptyNumber!: number;
  @IsEmail() email!: string;
  @IsUrl() url!: string;
  @IsUUID() uuid!: string;
  @IsISO8601() iso!: string;
  @IsDateString() @McpField({ format: 'date' }) day!: string;
  @Type(() => Date) @IsDate() date!: Date;
  @IsIP(4) ip!: string;
  @IsMongoId() mongo!: string;
  @IsPhoneNumber() phone!: string;
  @IsBooleanString() flag!: string;
  @IsInt() integer!: number;
  @IsNumber() @IsInt() both!: number;
  @IsNumber() number!: number;
  @Min(1) @Max(10) range!: number;
  @IsPositive() positive!: number;
  @IsNegative() negative!: number;
  @IsInt() @IsDivisibleBy(5) fives!: number;
  @IsBoolean() boolean!: boolean;
  @IsObject() object!: Record<string, unknown>;
  @IsNotEmptyObject() filled!: object;
  @IsEnum(Colour) colour!: Colour;
  @IsEnum(Level) level!: Level;
  @IsIn(['a', 1, null]) mixed!: unknown;
  @IsString() @IsIn(['a', 'b']) among!: string;
  @IsString() @IsNotIn(['x']) outside!: string;
  @IsNumber() @NotEquals(0) notZero!: number;
  @Equals('fixed') fixed!: string;
  @IsArray() @IsString({ each: true }) @ArrayMinSize(1) @ArrayMaxSize(3) @ArrayUnique() strings!: string[];
  @IsInt({ each: true }) @Min(0, { each: true }) integers!: number[];
  @IsEnum(Colour, { each: true }) @ArrayNotEmpty() @ArrayContains(['red']) colours!: Colour[];
  @McpField() bare!: string;
  @McpField() bareNumber!: number;
  @Type(() => Number) @McpField() typed!: unknown;
  @IsDefined() defined!: boolean;
}

const string = (more: object = {}): object => ({ type: 'string', ...more });
const number = (more: object = {}): object => ({ type: 'number', ...more });

describe('a property of a DTO', () => {
  test.each<[keyof Everything, object]>([
    ['string', string()],
    ['bounded', string({ minLength: 2, maxLength: 5 })],
    ['length', string({ minLength: 3, maxLength: 9 })],
    ['pattern', string({ pattern: '^[a-z-]+$' })],
    ['patterns', string({ pattern: 'a', allOf: [{ pattern: 'b' }] })],
    ['contains', string({ pattern: 'a\\.b' })],
    ['notEmpty', string({ minLength: 1 })],
    ['notEmptyAndLong', string({ minLength: 4 })],
    ['notEmptyNumber', number()],
    ['email', string({ format: 'email' })],
    ['url', string({ format: 'uri' })],
    ['uuid', string({ format: 'uuid' })],
    ['iso', string({ anyOf: [{ format: 'date' }, { format: 'date-time' }] })],
    ['day', string({ format: 'date' })],
    ['date', string({ format: 'date-time' })],
    ['ip', string({ format: 'ipv4' })],
    ['mongo', string({ pattern: '^[0-9a-fA-F]{24}$' })],
    ['phone', string({ format: 'phone' })],
    ['flag', string({ enum: ['true', 'false', '1', '0'] })],
    ['integer', { type: 'integer' }],
    ['both', { type: 'integer' }],
    ['number', number()],
    ['range', number({ minimum: 1, maximum: 10 })],
    ['positive', number({ exclusiveMinimum: 0 })],
    ['negative', number({ exclusiveMaximum: 0 })],
    ['fives', { type: 'integer', multipleOf: 5 }],
    ['boolean', { type: 'boolean' }],
    ['object', { type: 'object' }],
    ['filled', { type: 'object', minProperties: 1 }],
    ['colour', string({ enum: ['red', 'green'] })],
    ['level', number({ enum: [0, 1] })],
    ['mixed', { enum: ['a', 1, null] }],
    ['among', string({ enum: ['a', 'b'] })],
    ['outside', string({ not: { enum: ['x'] } })],
    ['notZero', number({ not: { const: 0 } })],
    ['fixed', string({ const: 'fixed' })],
    ['strings', { type: 'array', items: string(), minItems: 1, maxItems: 3, uniqueItems: true }],
    ['integers', { type: 'array', items: { type: 'integer', minimum: 0 } }],
    ['colours', { type: 'array', items: string({ enum: ['red', 'green'] }), minItems: 1, allOf: [{ contains: { const: 'red' } }] }],
    ['bare', string()],
    ['bareNumber', number()],
    ['typed', number()],
    ['defined', { type: 'boolean' }],
  ])('says of "%s" what its decorators say', (name, schema) => {
    expect(propertyOf(Everything, name)).toEqual(schema);
  });

  test('is required unless a decorator says that it may be absent', () => {
    class Some {
      @IsString() required!: string;
      @McpField() described!: string;
      @IsOptional() @IsString() optional?: string;
      @IsOptional() @IsDefined() @IsString() optionalWins?: string;
      @ValidateIf(() => true) @IsString() conditional?: string;
      @IsInt() @McpField({ default: 1 }) withDefault!: number;
      @IsInt() initialised = 2;
      @Allow() anything?: string;
    }

    expect(input(Some).json['required']).toEqual(['required', 'described']);
  });

  test('carries what @McpField says, in any order with the other decorators', () => {
    class Above {
      @McpField({ title: 'Name', description: 'Who', examples: ['Ada'] }) @IsString() name!: string;
    }
    class Below {
      @IsString() @McpField({ title: 'Name', description: 'Who', examples: ['Ada'] }) name!: string;
    }

    const schema = { type: 'string', title: 'Name', description: 'Who', examples: ['Ada'] };
    expect(propertyOf(Above, 'name')).toEqual(schema);
    expect(propertyOf(Below, 'name')).toEqual(schema);
  });

  test('adds up several @McpField, the upper one winning', () => {
    class Twice {
      @McpField({ description: 'upper' }) @McpField({ title: 'T', description: 'lower' }) @IsString() name!: string;
    }

    expect(propertyOf(Twice, 'name')).toEqual({ type: 'string', title: 'T', description: 'upper' });
  });

  test('does not appear if nothing but TypeScript knows it', () => {
    class Half {
      @IsString() seen!: string;
      unseen!: string;
    }

    expect(Object.keys(input(Half).json['properties'] as object)).toEqual(['seen']);
  });
});

describe('a DTO as a whole', () => {
  test('allows keys that it does not declare', () => {
    expect(input(Everything).json).not.toHaveProperty('additionalProperties');
  });

  test('is advertised frozen, so that no one can change it behind the check', () => {
    const { json } = input(Everything);
    expect(Object.isFrozen(json)).toBe(true);
    expect(Object.isFrozen((json['properties'] as Record<string, unknown>)['colour'])).toBe(true);
  });
});
