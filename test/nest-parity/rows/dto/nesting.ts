import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsDate,
  IsIn,
  IsInstance,
  IsInt,
  IsNotEmptyObject,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import { values, type Group } from '../../model/row.js';

class AddressDto {
  @IsString()
  city!: string;

  @IsOptional()
  @IsString()
  street?: string;
}

class PersonDto {
  @IsString()
  name!: string;

  @ValidateNested()
  @Type(() => AddressDto)
  address!: AddressDto;
}

class HouseholdDto {
  @IsOptional()
  @ValidateNested()
  @Type(() => PersonDto)
  head?: PersonDto;

  @IsArray()
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => PersonDto)
  people!: PersonDto[];
}

class BoxDto {
  @ValidateNested()
  @IsInstance(AddressDto)
  @Type(() => AddressDto)
  address!: AddressDto;
}

class FreeDto {
  @IsObject()
  payload!: Record<string, unknown>;

  @IsOptional()
  @IsNotEmptyObject()
  extra?: object;
}

class UnvalidatedDto {
  @Type(() => AddressDto)
  @IsOptional()
  address?: AddressDto;
}

class TreeDto {
  @IsInt()
  value!: number;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => TreeDto)
  children?: TreeDto[];
}

class StayDto {
  @IsDate()
  @Type(() => Date)
  from!: Date;

  @IsArray()
  @IsDate({ each: true })
  @Type(() => Date)
  days!: Date[];
}

abstract class ShapeDto {
  @IsString()
  kind!: string;
}

class CircleDto extends ShapeDto {
  @IsNumber()
  @Min(0)
  radius!: number;
}

class SquareDto extends ShapeDto {
  @IsNumber()
  side!: number;
}

const shapes = {
  property: 'kind',
  subTypes: [
    { name: 'circle', value: CircleDto },
    { name: 'square', value: SquareDto },
  ],
};

class DrawingDto {
  @ValidateNested()
  @Type(() => ShapeDto, { discriminator: shapes, keepDiscriminatorProperty: true })
  shape!: CircleDto | SquareDto;
}

class GalleryDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ShapeDto, { discriminator: shapes, keepDiscriminatorProperty: true })
  shapes!: (CircleDto | SquareDto)[];
}

class CatDto {
  @IsInt()
  lives!: number;
}

class DogDto {
  @IsIn(['bark', 'growl'])
  voice!: string;
}

class KennelDto {
  @ValidateNested()
  @Type(() => Object, {
    discriminator: {
      property: 'type',
      subTypes: [
        { name: 'cat', value: CatDto },
        { name: 'dog', value: DogDto },
      ],
    },
  })
  animal!: CatDto | DogDto;
}

class MatrixDto {
  @IsArray({ each: true })
  @IsArray()
  rows!: number[][];
}

class SettingsDto {
  @Type(() => AddressDto)
  @ValidateNested()
  places!: Map<string, AddressDto>;
}

class TagsDto {
  @Type(() => String)
  @IsString({ each: true })
  tags!: Set<string>;
}

const address = { city: 'Lille' };
const ada = { name: 'Ada', address };

/** Classes within classes. */
export const nesting: Group = {
  name: 'nesting and unions',
  rows: [
    {
      name: 'a nested class',
      type: PersonDto,
      inputs: values({
        valid: { name: 'Ada', address: { city: 'Lille', street: 'Rue 1' } },
        more: { name: 'Ada', address: { city: 'Lille', zip: 1 }, age: 3 },
        'inner wrong': { name: 'Ada', address: { city: 5 } },
        'inner null': { name: 'Ada', address: { city: null } },
        null: { name: 'Ada', address: null },
        absent: { name: 'Ada' },
        text: { name: 'Ada', address: 'Lille' },
        list: { name: 'Ada', address: [address] },
      }),
    },
    {
      name: 'classes three deep, in lists',
      type: HouseholdDto,
      inputs: values({
        valid: { head: ada, people: [ada, { name: 'Bo', address }] },
        'no head': { people: [ada] },
        'null head': { head: null, people: [ada] },
        empty: { people: [] },
        'deep wrong': { people: [{ name: 'Ada', address: { city: 5, street: 6 } }] },
        'second wrong': { people: [ada, { name: 1 }] },
        object: { people: ada },
        absent: {},
      }),
    },
    {
      name: '@IsInstance',
      type: BoxDto,
      inputs: values({ valid: { address }, wrong: { address: {} }, text: { address: 'a' }, null: { address: null }, absent: {} }),
    },
    {
      name: 'a free object',
      type: FreeDto,
      inputs: values({
        valid: { payload: { a: [1, { b: null }] } },
        empty: { payload: {} },
        list: { payload: [] },
        text: { payload: 'a' },
        'extra empty': { payload: {}, extra: {} },
        'extra null': { payload: {}, extra: null },
        absent: {},
      }),
    },
    {
      name: 'a nested class that is not validated',
      type: UnvalidatedDto,
      inputs: values({ valid: { address }, wrong: { address: { city: 5 } }, null: { address: null }, absent: {} }),
    },
    {
      name: 'a class within itself',
      type: TreeDto,
      inputs: values({
        leaf: { value: 1 },
        tree: {
          value: 1,
          children: [
            { value: 2, children: [{ value: 3 }] },
            { value: 4, children: [] },
          ],
        },
        'deep wrong': { value: 1, children: [{ value: 2, children: [{ value: 'x' }] }] },
        null: { value: 1, children: null },
      }),
    },
    {
      name: 'dates in a list',
      type: StayDto,
      inputs: values({
        valid: { from: '2026-12-24T10:00:00Z', days: ['2026-12-24', '2026-12-25T01:00:00+01:00'] },
        empty: { from: '2026-12-24T10:00:00Z', days: [] },
        wrong: { from: '2026-12-24T10:00:00Z', days: ['soon'] },
        null: { from: null, days: [null] },
      }),
    },
    {
      name: 'a discriminated class',
      type: DrawingDto,
      inputs: values({
        circle: { shape: { kind: 'circle', radius: 1 } },
        square: { shape: { kind: 'square', side: 1 } },
        mixed: { shape: { kind: 'square', radius: 1 } },
        wrong: { shape: { kind: 'circle', radius: -1 } },
        unknown: { shape: { kind: 'line', radius: 1 } },
        'no tag': { shape: { radius: 1 } },
        null: { shape: null },
        absent: {},
      }),
    },
    {
      name: 'discriminated classes in a list',
      type: GalleryDto,
      inputs: values({
        valid: {
          shapes: [
            { kind: 'circle', radius: 1 },
            { kind: 'square', side: 2 },
          ],
        },
        'one wrong': { shapes: [{ kind: 'circle', radius: 1 }, { kind: 'square' }] },
        unknown: { shapes: [{ kind: 'line' }] },
        empty: { shapes: [] },
      }),
    },
    {
      name: 'a discriminated class that drops its tag',
      type: KennelDto,
      inputs: values({
        cat: { animal: { type: 'cat', lives: 9 } },
        dog: { animal: { type: 'dog', voice: 'bark' } },
        wrong: { animal: { type: 'dog', voice: 'meow' } },
        absent: {},
      }),
    },
    {
      name: 'lists in a list',
      type: MatrixDto,
      inputs: values({ valid: { rows: [[1], []] }, wrong: { rows: [1] }, object: { rows: {} }, absent: {} }),
    },
    {
      name: 'a map',
      type: SettingsDto,
      inputs: values({
        valid: { places: { home: address } },
        wrong: { places: { home: { city: 1 } } },
        text: { places: 'a' },
        null: { places: null },
      }),
    },
    {
      name: 'a set',
      type: TagsDto,
      inputs: values({ valid: { tags: ['a', 'b', 'a'] }, wrong: { tags: [{}] }, empty: { tags: [] }, null: { tags: null } }),
    },
  ],
};
