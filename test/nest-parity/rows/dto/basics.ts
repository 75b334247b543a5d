import { Expose, Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsPositive,
  IsString,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { spy } from '../../model/journal.js';
import { values, type Group } from '../../model/row.js';

class TextDto {
  @IsString()
  @MaxLength(5)
  text!: string;
}

class CountDto {
  @IsInt()
  @Min(1)
  count!: number;
}

class FlagDto {
  @IsBoolean()
  flag!: boolean;
}

class CentsDto {
  @Transform(({ value }: { value: number }) => {
    spy('@Transform');
    return Math.round(value * 100);
  })
  @IsInt()
  @IsPositive()
  price!: number;
}

class TrimDto {
  @Transform(({ value }: { value: string }) => (typeof value === 'string' ? value.trim() : value))
  @IsNotEmpty()
  name!: string;
}

class NumericDto {
  @Type(() => Number)
  @IsInt()
  page!: number;
}

class RenamedDto {
  @Expose({ name: 'first_name' })
  @IsString()
  firstName!: string;
}

class MaybeDto {
  @IsOptional()
  @IsEmail()
  email?: string;

  @IsIn(['a', 'b'])
  choice!: string;
}

class WhenDto {
  @Type(() => Date)
  @IsDate()
  when!: Date;
}

class LineDto {
  @IsString()
  article!: string;

  @IsInt()
  amount!: number;
}

class OrderDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => LineDto)
  lines!: LineDto[];
}

/** The DTOs that every application has. */
export const basics: Group = {
  name: 'basic DTOs',
  rows: [
    {
      name: 'a text',
      type: TextDto,
      inputs: values({
        valid: { text: 'abc' },
        long: { text: 'abcdef' },
        number: { text: 5 },
        null: { text: null },
        absent: {},
        more: { text: 'a', other: 1 },
      }),
    },
    {
      name: 'a count',
      type: CountDto,
      inputs: values({
        valid: { count: 2 },
        small: { count: 0 },
        text: { count: 'two' },
        digits: { count: '2' },
        fraction: { count: 1.5 },
        null: { count: null },
        absent: {},
      }),
    },
    { name: 'a flag', type: FlagDto, inputs: values({ yes: { flag: true }, no: { flag: false }, text: { flag: 'yes' }, absent: {} }) },
    { name: 'cents', type: CentsDto, inputs: values({ valid: { price: 5 }, negative: { price: -5 }, text: { price: 'x' }, absent: {} }) },
    {
      name: 'a trimmed name',
      type: TrimDto,
      inputs: values({ valid: { name: ' Ali ' }, blank: { name: '   ' }, number: { name: 5 }, absent: {} }),
    },
    {
      name: 'a page number',
      type: NumericDto,
      inputs: values({ valid: { page: 2 }, digits: { page: '2' }, text: { page: 'two' }, null: { page: null }, absent: {} }),
    },
    {
      name: 'a renamed property',
      type: RenamedDto,
      renamed: { first_name: 'firstName' },
      inputs: values({
        outside: { first_name: 'Ali' },
        inside: { firstName: 'Ali' },
        both: { first_name: 'Ali', firstName: 'Bo' },
        number: { first_name: 5 },
        absent: {},
      }),
    },
    {
      name: 'an optional e-mail',
      type: MaybeDto,
      inputs: values({
        valid: { email: 'a@b.io', choice: 'a' },
        none: { choice: 'b' },
        null: { email: null, choice: 'a' },
        bad: { email: 'a', choice: 'c' },
        number: { email: 5, choice: 'a' },
      }),
    },
    {
      name: 'a date',
      type: WhenDto,
      inputs: values({
        instant: { when: '2026-12-24T10:00:00Z' },
        day: { when: '2026-12-24' },
        text: { when: 'soon' },
        number: { when: 0 },
        null: { when: null },
        absent: {},
      }),
    },
    {
      name: 'lines',
      type: OrderDto,
      inputs: values({
        valid: { lines: [{ article: 'A', amount: 1 }] },
        empty: { lines: [] },
        wrong: { lines: [{ article: 1, amount: 'x' }] },
        more: { lines: [{ article: 'A', amount: 1, other: 1 }] },
        primitive: { lines: [1] },
        object: { lines: { article: 'A' } },
        null: { lines: null },
        inner: { lines: [null] },
      }),
    },
  ],
};
