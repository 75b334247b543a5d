import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsNumber, IsOptional, IsString, Matches, MaxLength, MinLength, ValidateNested } from 'class-validator';
import { McpField } from '@mocapi/core';
import { spy } from '../../model/journal.js';
import { values, type Group } from '../../model/row.js';

class LowerDto {
  @IsString()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  @Matches(/^[a-z]+$/)
  code!: string;
}

class ListDto {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  @IsArray()
  @IsString({ each: true })
  tags!: string[];
}

class TwiceDto {
  @Transform(({ value }: { value: number }) => {
    spy('inner @Transform');
    return value + 1;
  })
  @Transform(({ value }: { value: number }) => {
    spy('outer @Transform');
    return value * 2;
  })
  @IsInt()
  n!: number;
}

class FlagDto {
  @Transform(({ value }: { value: unknown }) => value === 'yes' || value === true)
  @IsBoolean()
  flag!: boolean;
}

class InboundDto {
  @Transform(({ value }: { value: string }) => `in:${value}`, { toClassOnly: true })
  @IsString()
  only!: string;

  @Transform(({ value }: { value: string }) => `out:${value}`, { toPlainOnly: true })
  @IsString()
  other!: string;
}

class WholeDto {
  @IsString()
  first!: string;

  @IsOptional()
  @Transform(({ obj }: { obj: { first?: string } }) => `${obj.first} and more`)
  derived?: string;
}

class DefaultedDto {
  @IsOptional()
  @IsInt()
  limit: number = 20;

  @IsOptional()
  @IsString()
  order = 'asc';
}

class FilledDto {
  @Transform(({ value }: { value: unknown }) => value ?? 'filled')
  @IsString()
  word!: string;
}

class FieldDefaultDto {
  @IsInt()
  @McpField({ description: 'How many' })
  amount: number = 1;
}

class RenamedDto {
  @Expose({ name: 'user_name' })
  @IsString()
  @MinLength(2)
  userName!: string;

  @Expose()
  @IsOptional()
  @IsInt()
  age?: number;
}

class NestedRenamedDto {
  @Expose({ name: 'the_user' })
  @ValidateNested()
  @Type(() => RenamedDto)
  user!: RenamedDto;
}

class SecretDto {
  @IsString()
  name!: string;

  @Exclude()
  @IsOptional()
  @IsString()
  internal?: string;

  @Exclude({ toPlainOnly: true })
  @IsOptional()
  @IsString()
  password?: string;
}

@Exclude()
class ClosedDto {
  @Expose()
  @IsString()
  open!: string;

  @IsOptional()
  @IsString()
  closed?: string;
}

class GroupedDto {
  @Expose({ groups: ['admin'] })
  @IsOptional()
  @IsString()
  role?: string;

  @Expose()
  @IsString()
  name!: string;
}

class VersionedDto {
  @Expose({ since: 2 })
  @IsOptional()
  @IsString()
  later?: string;

  @Expose({ until: 2 })
  @IsOptional()
  @IsString()
  earlier?: string;
}

class TypedDto {
  @Type(() => Number)
  @IsNumber()
  amount!: number;

  @Type(() => Boolean)
  @IsOptional()
  @IsBoolean()
  flag?: boolean;

  @Type(() => String)
  @IsOptional()
  @MaxLength(3)
  text?: string;
}

class GetterDto {
  @IsString()
  first!: string;

  @IsOptional()
  @IsString()
  last?: string;

  get full(): string {
    return `${this.first} ${this.last ?? ''}`;
  }
}

class ConstructedDto {
  readonly made: string;

  @IsOptional()
  @IsString()
  name?: string;

  constructor() {
    this.made = 'by the constructor';
  }
}

/** DTOs that class-transformer changes. */
export const transforming: Group = {
  name: 'transformed DTOs',
  rows: [
    {
      name: '@Transform to lower case',
      type: LowerDto,
      inputs: values({ valid: { code: 'ABC' }, wrong: { code: 'A1' }, number: { code: 5 }, null: { code: null }, absent: {} }),
    },
    {
      name: '@Transform of a text to a list',
      type: ListDto,
      inputs: values({ text: { tags: 'a,b' }, list: { tags: ['a'] }, number: { tags: 5 }, null: { tags: null }, absent: {} }),
    },
    { name: 'two @Transform', type: TwiceDto, inputs: values({ valid: { n: 3 }, fraction: { n: 0.25 }, absent: {} }) },
    {
      name: '@Transform to a flag',
      type: FlagDto,
      inputs: values({ yes: { flag: 'yes' }, no: { flag: 'no' }, true: { flag: true }, null: { flag: null }, absent: {} }),
    },
    {
      name: '@Transform of one direction',
      type: InboundDto,
      inputs: values({ valid: { only: 'a', other: 'b' }, wrong: { only: 'a', other: 1 } }),
    },
    {
      name: '@Transform from another property',
      type: WholeDto,
      inputs: values({ both: { first: 'a', derived: 'b' }, alone: { first: 'a' }, wrong: { first: 1 } }),
    },
    {
      name: 'values of the class itself',
      type: DefaultedDto,
      inputs: values({ none: {}, given: { limit: 3, order: 'desc' }, null: { limit: null }, wrong: { limit: 'x' } }),
    },
    { name: '@Transform that fills', type: FilledDto, inputs: values({ given: { word: 'a' }, null: { word: null }, absent: {} }) },
    {
      name: 'a default with @McpField',
      type: FieldDefaultDto,
      inputs: values({ given: { amount: 3 }, absent: {}, wrong: { amount: 'x' } }),
    },
    {
      name: 'renamed and exposed',
      type: RenamedDto,
      renamed: { user_name: 'userName' },
      inputs: values({
        valid: { user_name: 'Ali', age: 3 },
        short: { user_name: 'A' },
        inside: { userName: 'Ali' },
        number: { user_name: 5 },
        'age wrong': { user_name: 'Ali', age: 'x' },
        absent: {},
      }),
    },
    {
      name: 'renamed within renamed',
      type: NestedRenamedDto,
      renamed: { the_user: 'user', 'the_user.user_name': 'user.userName' },
      inputs: values({
        valid: { the_user: { user_name: 'Ali' } },
        inside: { user: { userName: 'Ali' } },
        null: { the_user: null },
        absent: {},
      }),
    },
    {
      name: 'excluded properties',
      type: SecretDto,
      inputs: values({
        plain: { name: 'a' },
        internal: { name: 'a', internal: 'x' },
        password: { name: 'a', password: 'x' },
        wrong: { name: 'a', internal: 5 },
      }),
    },
    {
      name: 'a class that excludes',
      type: ClosedDto,
      inputs: values({ open: { open: 'a' }, both: { open: 'a', closed: 'b' }, more: { open: 'a', other: 1 }, wrong: { open: 1 } }),
    },
    {
      name: 'groups of @Expose',
      type: GroupedDto,
      inputs: values({ plain: { name: 'a' }, role: { name: 'a', role: 'admin' }, wrong: { name: 1 } }),
    },
    { name: 'versions of @Expose', type: VersionedDto, inputs: values({ both: { later: 'a', earlier: 'b' }, none: {} }) },
    {
      name: '@Type of primitives',
      type: TypedDto,
      inputs: values({
        numbers: { amount: 1 },
        texts: { amount: '1.5', flag: 'x', text: 12 },
        zero: { amount: '', flag: '' },
        long: { amount: 1, text: 12345 },
        wrong: { amount: 'x' },
        null: { amount: null, flag: null },
        absent: {},
      }),
    },
    {
      name: 'a getter',
      type: GetterDto,
      inputs: values({ valid: { first: 'a', last: 'b' }, more: { first: 'a', other: 'x' }, wrong: { first: 1 } }),
    },
    { name: 'a constructor', type: ConstructedDto, inputs: values({ none: {}, named: { name: 'a' }, made: { made: 'by the client' } }) },
  ],
};
