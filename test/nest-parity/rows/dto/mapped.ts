import { McpField } from '@mocapi/core';
import * as mapped from '@nestjs/mapped-types';
import * as swagger from '@nestjs/swagger';
import { Expose, Transform, Type } from 'class-transformer';
import { IsEmail, IsInt, IsOptional, IsString, Min, MinLength, ValidateNested } from 'class-validator';
import { spy } from '../../model/journal.js';
import { values, type Group, type Row } from '../../model/row.js';

class PlaceDto {
  @IsString()
  city!: string;
}

class UserDto {
  @IsString()
  @MinLength(2)
  @McpField({ description: 'The name' })
  @swagger.ApiProperty({ description: 'The name' })
  name!: string;

  @IsEmail()
  @swagger.ApiProperty()
  email!: string;

  @IsInt()
  @Min(0)
  @Type(() => Number)
  @swagger.ApiProperty({ minimum: 0 })
  age!: number;

  @IsOptional()
  @Transform(({ value }: { value: unknown }) => {
    spy('@Transform');
    return typeof value === 'string' ? value.trim() : value;
  })
  @IsString()
  @swagger.ApiPropertyOptional()
  note?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => PlaceDto)
  place?: PlaceDto;
}

class StampDto {
  @Expose({ name: 'created_by' })
  @IsString()
  createdBy!: string;
}

class PickedDto extends mapped.PickType(UserDto, ['name', 'note']) {}
class OmittedDto extends mapped.OmitType(UserDto, ['email', 'place']) {}
class PartialDto extends mapped.PartialType(UserDto) {}
class StrictPartialDto extends mapped.PartialType(UserDto, { skipNullProperties: false }) {}
class IntersectedDto extends mapped.IntersectionType(PickedDto, StampDto) {}
class ComposedDto extends mapped.PartialType(mapped.OmitType(UserDto, ['age'])) {
  @IsInt()
  id!: number;
}
class ApiPickedDto extends swagger.PickType(UserDto, ['name', 'note'] as const) {}
class ApiOmittedDto extends swagger.OmitType(UserDto, ['email', 'place'] as const) {}
class ApiPartialDto extends swagger.PartialType(UserDto) {}
class ApiIntersectedDto extends swagger.IntersectionType(ApiPickedDto, StampDto) {}

const whole = { name: 'Ali', email: 'a@b.io', age: 3 };

const row = (name: string, type: unknown, more: Row['inputs']): Row => ({
  name,
  type,
  renamed: { created_by: 'createdBy' },
  inputs: {
    ...values({
      whole,
      named: { name: 'Ali' },
      short: { name: 'A', email: 'x', age: -1 },
      trimmed: { ...whole, note: ' a ' },
      null: { name: null },
      empty: {},
    }),
    ...more,
  },
});

const aged = values({
  digits: { ...whole, age: '3' },
  nested: { ...whole, place: { city: 'Lille' } },
  'nested wrong': { ...whole, place: { city: 1 } },
});
const stamped = values({
  stamped: { ...whole, created_by: 'Bo' },
  inside: { ...whole, createdBy: 'Bo' },
  'stamp wrong': { ...whole, created_by: 1 },
});

/** What `@nestjs/mapped-types` and `@nestjs/swagger` make of classes. */
export const mappedTypes: Group = {
  name: 'mapped types',
  rows: [
    row('the class itself', UserDto, aged),
    row('PickType', PickedDto, {}),
    row('OmitType', OmittedDto, aged),
    row('PartialType', PartialDto, aged),
    row('PartialType that takes no null', StrictPartialDto, aged),
    row('IntersectionType', IntersectedDto, stamped),
    row(
      'PartialType of OmitType, extended',
      ComposedDto,
      values({ id: { id: 1 }, 'id wrong': { id: 'x' }, nested: { id: 1, place: { city: 'Lille' } } }),
    ),
    row('PickType of swagger', ApiPickedDto, {}),
    row('OmitType of swagger', ApiOmittedDto, aged),
    row('PartialType of swagger', ApiPartialDto, aged),
    row('IntersectionType of swagger', ApiIntersectedDto, stamped),
  ],
};
