import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsDefined,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  validateSync,
  ValidateNested,
} from 'class-validator';
import { plainToInstance } from 'class-transformer';
import * as fc from 'fast-check';
import { z } from 'zod';
import { McpField } from '../../src/schema/dto/field-options.js';
import { compileArguments } from '../../src/schema/arguments-schema.js';
import type { CompiledSchema, SchemaResult } from '../../src/schema/compiled-schema.js';
import { input, output } from './support.js';

enum Unit {
  Metre = 'm',
  Foot = 'ft',
}
class Point {
  @IsNumber() @Min(-10) @Max(10) x!: number;
  @IsOptional() @IsInt() y?: number;
}
class Shape {
  @IsString() @Length(1, 4) name!: string;
  @IsEnum(Unit) unit!: Unit;
  @IsOptional() @IsIn([1, 2, 'x']) odd?: unknown;
  @IsOptional() @Matches(/^a+b?$/) word?: string;
  @IsOptional() @IsBoolean() closed?: boolean;
  @Type(() => Point) @ValidateNested() @IsDefined() origin!: Point;
  @IsOptional() @Type(() => Point) @ValidateNested({ each: true }) points?: Point[];
  @IsOptional() @IsString({ each: true }) @MaxLength(2, { each: true }) tags?: string[];
  @McpField({ default: 3 }) @IsInt() @Min(0) sides!: number;
}

/** Another copy of ajv, set up without defaults: what a client would check with. */
function client(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv;
}

const scalar = fc.oneof(
  fc.constantFrom('a', 'ab', 'aab', 'm', 'ft', 'x', '', 'toolong'),
  fc.integer({ min: -12, max: 12 }),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const jsonValue = fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
/** Mostly fitting, sometimes not: a wholly random value is nearly always refused. */
const mostly = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: jsonValue });
const point = mostly(fc.record({ x: mostly(fc.integer({ min: -10, max: 10 })), y: mostly(fc.integer()) }, { requiredKeys: ['x'] }));
const shape = mostly(
  fc.record(
    {
      name: mostly(fc.string({ minLength: 1, maxLength: 4 })),
      unit: mostly(fc.constantFrom('m', 'ft')),
      odd: mostly(fc.constantFrom(1, 2, 'x')),
      word: mostly(fc.constantFrom('a', 'aab')),
      closed: mostly(fc.boolean()),
      origin: point,
      points: mostly(fc.array(point, { maxLength: 3 })),
      tags: mostly(fc.array(mostly(fc.string({ maxLength: 2 })), { maxLength: 3 })),
      sides: mostly(fc.nat()),
      extra: fc.string(),
    },
    { requiredKeys: ['name', 'unit', 'origin'] },
  ),
);

describe('what is advertised and what is enforced', () => {
  test('are the same: a client that checks against the schema is refused neither more nor less', () => {
    const schema = input(Shape);
    const fits = client().compile(schema.json);
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(shape, (value) => {
        const { ok } = schema.parse(value) as SchemaResult;
        seen[ok ? 'accepted' : 'refused'] += 1;
        expect(ok).toBe(fits(value));
      }),
      { numRuns: 500 },
    );
    expect(seen.accepted).toBeGreaterThan(50);
    expect(seen.refused).toBeGreaterThan(50);
  });

  test('never let through what class-validator would refuse', () => {
    const schema = input(Shape);
    fc.assert(
      fc.property(shape, (value) => {
        const result = schema.parse(value) as SchemaResult;
        if (!result.ok) return;
        expect(validateSync(result.value as object, { forbidUnknownValues: false })).toEqual([]);
        expect(result.value).toEqual(plainToInstance(Shape, JSON.parse(JSON.stringify({ sides: 3, ...(value as object) }))));
      }),
      { numRuns: 300 },
    );
  });

  test('leave the argument as it was', () => {
    const schema = input(Shape);
    fc.assert(
      fc.property(shape, (value) => {
        const before = JSON.stringify(value);
        void schema.parse(value);
        expect(JSON.stringify(value)).toBe(before);
      }),
      { numRuns: 100 },
    );
  });
});

describe('every advertised schema', () => {
  const zodSchema = z.object({ a: z.string().default('x'), b: z.array(z.union([z.string(), z.null()])) });
  test.each<[string, () => CompiledSchema]>([
    ['DTO', () => input(Shape)],
    ['DTO for output', () => output(Shape)],
    ['Standard Schema', () => input(zodSchema)],
    ['raw', () => input({ type: 'object', 'x-odd': 1 })],
    ['parameters', () => compileArguments([{ name: 'shape', source: Shape, required: true }], { where: 'Tools.run', use: 'input' })],
  ])('of a %s is valid JSON Schema 2020-12 and compiles in a strict client', (_title, compile) => {
    const { json } = compile();
    const ajv = client();
    expect(ajv.validateSchema(json)).toBe(true);
    expect(() => ajv.compile(json)).not.toThrow();
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  });
});
