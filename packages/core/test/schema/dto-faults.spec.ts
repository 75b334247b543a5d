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
import { McpField } from '../../src/decorators/mcp-field.decorator.js';
import type { DtoClass } from '../../src/schema/schema-source.js';
import { faultOf, input, propertyOf } from './support.js';

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
  class CustomClass {
    @Validate(IsEvenConstraint) value!: number;
  }
  class CustomDecorator {
    @IsShouting() value!: string;
  }
  class Instance {
    @IsInstance(Inner) value!: Inner;
  }
  class Empty {
    @IsEmpty() value!: string;
  }
  class IgnoreCase {
    @Matches(/abc/i) value!: string;
  }
  class OldPattern {
    @Matches('a\\_b') value!: string;
  }
  class WithMap {
    @McpField() value!: Map<string, string>;
  }
  class WithSet {
    @IsString({ each: true }) value!: Set<string>;
  }
  class SymbolValues {
    @IsIn([Symbol('x')]) value!: unknown;
  }
  class Uncertain {
    @IsOptional() @McpField() value?: string | number;
  }
  class UncertainElements {
    @IsArray() value!: unknown[];
  }
  class Grouped {
    @IsString({ groups: ['create'] }) value!: string;
  }
  class DependsOnFunction {
    @MinLength(2, { validateIf: () => false }) value!: string;
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

  test.each<[string, DtoClass, { problem: string; mend: string }]>([
    ['@Validate', CustomClass, { problem: 'its custom constraint', mend: BY_HAND }],
    ['registerDecorator', CustomDecorator, { problem: '@IsShouting()', mend: BY_HAND }],
    ['@IsInstance', Instance, { problem: '@IsInstance()', mend: BY_HAND }],
    ['@IsEmpty', Empty, { problem: '@IsEmpty()', mend: BY_HAND }],
    ['a flag of @Matches', IgnoreCase, { problem: 'the flag "i"', mend: BY_HAND }],
    ['a pattern without "u"', OldPattern, { problem: 'under the flag "u"', mend: BY_HAND }],
    ['a Map', WithMap, { problem: 'it is a Map', mend: BY_HAND }],
    ['a Set', WithSet, { problem: 'it is a Set', mend: BY_HAND }],
    ['values that JSON lacks', SymbolValues, { problem: 'not all strings, numbers, booleans or null', mend: BY_HAND }],
    ['a type that is not certain', Uncertain, { problem: 'the type of its value is not certain', mend: '@IsString()' }],
    ['elements of no certain type', UncertainElements, { problem: 'the type of its elements is not certain', mend: '{ each: true }' }],
    ['groups', Grouped, { problem: 'restricted to the groups create', mend: 'always: true' }],
    ['validateIf', DependsOnFunction, { problem: 'validateIf', mend: BY_HAND }],
    ['contradicting types', Contradiction, { problem: 'contradict', mend: 'Take one of them away' }],
    ['a rule of values on an array', ScalarRuleOnArray, { problem: "can't be stated as JSON Schema here", mend: BY_HAND }],
    ['@ValidateNested without @Type', NestedWithoutType, { problem: '@ValidateNested()', mend: '@Type(() => Inner)' }],
    [
      '@ValidateNested of elements without @Type',
      NestedElementsWithoutType,
      { problem: '@ValidateNested()', mend: 'the class of one element' },
    ],
    ['a Date without @Type', DateWithoutType, { problem: 'it is a Date', mend: '@Type(() => Date)' }],
    ['a schema by hand that is not JSON', BadByHand, { problem: 'has an instance of a class at #/default', mend: 'JSON values only' }],
  ])('%s', (_title, source, { problem, mend }) => {
    const fault = faultOf(() => input(source));
    expect(fault.where).toBe(`${source.name}.value`);
    expect(fault.problem).toContain(problem);
    expect(fault.mend).toContain(mend);
  });

  test('wherever it is nested', () => {
    class Outer {
      @Type(() => CustomDecorator) @ValidateNested() inner!: CustomDecorator;
    }
    expect(faultOf(() => input(Outer)).where).toBe('CustomDecorator.value');
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
