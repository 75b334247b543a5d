import { Type } from 'class-transformer';
import {
  IsArray,
  IsDate,
  IsEmpty,
  IsIn,
  IsInstance,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  MinLength,
  registerDecorator,
  Validate,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import { McpField } from '../../src/schema/dto/field-options.js';
import type { DtoClass } from '../../src/schema/schema-source.js';
import { accepted, faultOf, input, propertyOf, refused } from './support.js';

@ValidatorConstraint({ name: 'isEven' })
class IsEvenConstraint {
  validate(value: unknown): boolean {
    return typeof value === 'number' && value % 2 === 0;
  }
}

function IsShouting(): PropertyDecorator {
  return (prototype, property) => {
    registerDecorator({
      name: 'isShouting',
      target: prototype.constructor,
      propertyName: property as string,
      validator: { validate: (value: unknown) => typeof value === 'string' && value === value.toUpperCase() },
    });
  };
}

class Inner {
  @IsString() text!: string;
}

const BY_HAND = '@McpField({ schema:';

describe('a property that JSON Schema cannot state is a fault that names it', () => {
  class WithMap {
    @McpField() value!: Map<string, string>;
  }
  class WithSet {
    @IsString({ each: true }) value!: Set<string>;
  }
  class Uncertain {
    @IsOptional() @McpField() value?: string | number;
  }
  class UncertainElements {
    @IsArray() value!: unknown[];
  }
  class Contradiction {
    @IsString() @IsInt() value!: unknown;
  }
  class ScalarRuleOnArray {
    @IsString() value!: string[];
  }
  class NestedWithoutType {
    @ValidateNested() value!: Inner;
  }
  class NestedElementsWithoutType {
    @ValidateNested({ each: true }) value!: Inner[];
  }
  class DateWithoutType {
    @IsDate() value!: Date;
  }
  class BadByHand {
    @McpField({ schema: { type: 'string', default: new Date() as never } }) value!: string;
  }

  test.each<[string, DtoClass, { problem: string; fix: string }]>([
    ['a Map', WithMap, { problem: 'it is a Map', fix: BY_HAND }],
    ['a Set', WithSet, { problem: 'it is a Set', fix: BY_HAND }],
    ['a type that is not certain', Uncertain, { problem: 'the type of its value cannot be determined', fix: '@IsString()' }],
    ['elements of no certain type', UncertainElements, { problem: 'the type of its elements cannot be determined', fix: '{ each: true }' }],
    ['contradicting types', Contradiction, { problem: 'contradict', fix: 'Remove one of them' }],
    ['a rule of values on an array', ScalarRuleOnArray, { problem: "can't be expressed as JSON Schema here", fix: BY_HAND }],
    ['@ValidateNested without @Type', NestedWithoutType, { problem: '@ValidateNested()', fix: '@Type(() => Inner)' }],
    [
      '@ValidateNested of elements without @Type',
      NestedElementsWithoutType,
      { problem: '@ValidateNested()', fix: 'the class of one element' },
    ],
    ['a Date without @Type', DateWithoutType, { problem: 'it is a Date', fix: '@Type(() => Date)' }],
    ['a schema by hand that is not JSON', BadByHand, { problem: 'has an instance of a class at #/default', fix: 'JSON values only' }],
  ])('%s', (_title, source, { problem, fix }) => {
    const fault = faultOf(() => input(source));
    expect(fault.where).toBe(`${source.name}.value`);
    expect(fault.problem).toContain(problem);
    expect(fault.fix).toContain(fix);
  });

  test('wherever it is nested', () => {
    class Outer {
      @Type(() => WithMap) @ValidateNested() inner!: WithMap;
    }
    expect(faultOf(() => input(Outer)).where).toBe('WithMap.value');
  });
});

describe('a rule that JSON Schema cannot state is left to class-validator', () => {
  class Left {
    @Validate(IsEvenConstraint) custom!: number;
    @IsShouting() decorated!: string;
    @IsInstance(Inner) @Type(() => Inner) instance!: Inner;
    @IsEmpty() empty!: string;
    @Matches(/abc/i) ignoresCase!: string;
    @Matches('a\\_b') oldPattern!: string;
    @IsIn([new Date(0), 'y']) symbols!: unknown;
    @IsString({ groups: ['create'] }) grouped!: string;
    @MinLength(2, { validateIf: () => false }) conditional!: string;
  }
  const good = {
    custom: 2, decorated: 'A', instance: { text: 'x' }, ignoresCase: 'xABCx', oldPattern: 'a_b', symbols: 'y', grouped: 'x', conditional: 'x',
  }; // prettier-ignore

  test('and says nothing in the schema but the type', () => {
    expect(input(Left).json['properties']).toMatchObject({
      custom: { type: 'number' }, decorated: { type: 'string' }, empty: {}, ignoresCase: { type: 'string' }, symbols: {}, grouped: { type: 'string' },
    }); // prettier-ignore
  });

  test('which refuses what breaks it', async () => {
    const schema = input(Left);
    await accepted(schema, good);
    for (const [name, value] of Object.entries({
      custom: 3,
      decorated: 'a',
      empty: 'x',
      ignoresCase: 'ab',
      oldPattern: 'ab',
      symbols: 'x',
    })) {
      expect([name, await refused(schema, { ...good, [name]: value })]).toEqual([name, [expect.objectContaining({ path: name })]]);
    }
  });
});

describe('a DTO is refused', () => {
  test('if no property is decorated', () => {
    class Bare {
      name!: string;
    }
    expect(faultOf(() => input(Bare))).toMatchObject({ where: 'Bare', problem: expect.stringContaining('no property') });
  });

  test('if a default does not fit', () => {
    class Wrong {
      @IsInt() @McpField({ default: 'ten' }) count!: number;
    }
    const fault = faultOf(() => input(Wrong));
    expect(fault.where).toBe('Tools.run');
    expect(fault.problem).toBe('the default at #/properties/count does not fit its own schema: it must be an integer, not a string');
  });

  test('if @McpField stands on a symbol', () => {
    const key = Symbol('key');
    expect(
      faultOf(() => {
        class Keyed {
          @McpField() [key]!: string;
        }
        return Keyed;
      }).where,
    ).toBe('Keyed.Symbol(key)');
  });
});

describe('a schema by hand', () => {
  test('takes the place of what would be derived, and is described further', () => {
    class ByHand {
      @IsShouting() @McpField({ schema: { type: 'string', pattern: '^[A-Z]+$' }, description: 'Loud' }) value!: string;
    }
    expect(propertyOf(ByHand, 'value')).toEqual({ type: 'string', pattern: '^[A-Z]+$', description: 'Loud' });
  });
});

describe('a rule that is always applied', () => {
  test('is no fault for its groups', () => {
    class Always {
      @IsString({ groups: ['create'], always: true }) value!: string;
    }
    expect(propertyOf(Always, 'value')).toEqual({ type: 'string' });
  });
});
