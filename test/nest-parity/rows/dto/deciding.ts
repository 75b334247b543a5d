import {
  Allow,
  IsBoolean,
  IsDefined,
  IsEmail,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Length,
  Min,
  registerDecorator,
  Validate,
  ValidateBy,
  ValidateIf,
  ValidatePromise,
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { spy } from '../../model/journal.js';
import { values, type Group } from '../../model/row.js';

class ContactDto {
  @IsString()
  by!: string;

  @ValidateIf(({ by }: ContactDto) => by === 'mail')
  @IsEmail()
  mail?: string;

  @ValidateIf((_, value) => value !== undefined)
  @IsInt()
  phone?: number;
}

@ValidatorConstraint({ name: 'even', async: false })
class Even implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    spy('custom validator');
    return typeof value === 'number' && value % 2 === 0;
  }

  defaultMessage({ property }: ValidationArguments): string {
    return `${property} must be even`;
  }
}

class EvenDto {
  @Validate(Even)
  n!: number;
}

@ValidatorConstraint({ async: true })
class Known implements ValidatorConstraintInterface {
  async validate(value: unknown): Promise<boolean> {
    await Promise.resolve();
    return value === 'known';
  }
}

class AsyncDto {
  @IsString()
  @Validate(Known, { message: 'Nobody knows $value' })
  name!: string;
}

function IsBigger(than: string): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: 'isBigger',
      target: target.constructor,
      propertyName: propertyName as string,
      constraints: [than],
      validator: {
        validate: (value: number, { object }: ValidationArguments) => value > ((object as Record<string, number>)[than] ?? 0),
        defaultMessage: () => `$property must be bigger than ${than}`,
      },
    });
}

class RangeDto {
  @IsInt()
  from!: number;

  @IsInt()
  @IsBigger('from')
  to!: number;
}

class ByDto {
  @ValidateBy(
    { name: 'isShouting', validator: { validate: (value: unknown) => typeof value === 'string' && value.endsWith('!') } },
    { message: 'Shout, please' },
  )
  word!: string;
}

class WordedDto {
  @IsString({ message: 'Give us a text for $property' })
  @Length(2, 4, { message: ({ value }: ValidationArguments) => `Not "${value}", but 2 to 4 characters` })
  word!: string;

  @IsInt({ message: 'A whole number, please', context: { code: 'E1' } })
  n!: number;
}

class ManyDto {
  @IsNotEmpty()
  @IsString()
  @Length(3, 5)
  word!: string;

  @IsInt()
  @Min(10)
  n!: number;
}

class BaseDto {
  @IsString()
  id!: string;

  @IsOptional()
  @IsInt()
  rank?: number;
}

class HeirDto extends BaseDto {
  @IsInt()
  @Min(1)
  override rank!: number;

  @IsBoolean()
  active!: boolean;
}

class HeirOfHeirDto extends HeirDto {
  @IsDefined()
  extra: unknown;
}

class GroupsDto {
  @IsString({ groups: ['create'] })
  name!: string;

  @IsInt({ groups: ['create', 'update'] })
  n!: number;

  @IsOptional({ always: true })
  @IsBoolean({ always: true })
  flag?: boolean;
}

class AlwaysDto {
  @IsString({ always: true })
  name!: string;
}

class LooseDto {
  @Allow()
  anything: unknown;

  @IsDefined()
  something: unknown;
}

class NullableDto {
  @ValidateIf((_, value) => value !== null)
  @IsString()
  name!: string | null;
}

class PromiseDto {
  @ValidatePromise()
  @IsOptional()
  later?: unknown;
}

class PrivateDto {
  @IsString()
  readonly name!: string;

  @IsOptional()
  @IsInt()
  private readonly secret?: number;

  reveal(): number | undefined {
    return this.secret;
  }
}

/** DTOs whose rules depend on something, or are the author's own. */
export const deciding: Group = {
  name: 'conditional, custom and inherited rules',
  rows: [
    {
      name: '@ValidateIf',
      type: ContactDto,
      inputs: values({
        mail: { by: 'mail', mail: 'a@b.io' },
        'mail wrong': { by: 'mail', mail: 'a' },
        'mail absent': { by: 'mail' },
        other: { by: 'post', mail: 'a' },
        'other number': { by: 'post', mail: 5 },
        phone: { by: 'post', phone: 5 },
        'phone null': { by: 'post', phone: null },
      }),
    },
    {
      name: '@Validate',
      type: EvenDto,
      inputs: values({ valid: { n: 2 }, odd: { n: 3 }, text: { n: '2' }, null: { n: null }, absent: {} }),
    },
    {
      name: 'an asynchronous validator',
      type: AsyncDto,
      inputs: values({ valid: { name: 'known' }, unknown: { name: 'other' }, number: { name: 5 }, absent: {} }),
    },
    {
      name: 'a validator that compares properties',
      type: RangeDto,
      inputs: values({ valid: { from: 1, to: 2 }, reversed: { from: 2, to: 1 }, half: { to: 1 }, texts: { from: '1', to: '2' } }),
    },
    { name: '@ValidateBy', type: ByDto, inputs: values({ valid: { word: 'a!' }, quiet: { word: 'a' }, number: { word: 5 }, absent: {} }) },
    {
      name: 'messages of the author',
      type: WordedDto,
      inputs: values({
        valid: { word: 'abc', n: 1 },
        long: { word: 'abcde', n: 1 },
        number: { word: 5, n: 1 },
        fraction: { word: 'abc', n: 1.5 },
        absent: {},
      }),
    },
    {
      name: 'several rules on a property',
      type: ManyDto,
      inputs: values({
        valid: { word: 'abc', n: 10 },
        both: { word: 'a', n: 1.5 },
        empty: { word: '', n: 0 },
        types: { word: 5, n: 'x' },
        absent: {},
      }),
    },
    {
      name: 'an inherited class',
      type: HeirDto,
      inputs: values({
        valid: { id: 'a', rank: 1, active: true },
        'rank absent': { id: 'a', active: true },
        'rank zero': { id: 'a', rank: 0, active: true },
        'base wrong': { id: 1, rank: 1, active: true },
      }),
    },
    {
      name: 'a class inherited twice',
      type: HeirOfHeirDto,
      inputs: values({
        valid: { id: 'a', rank: 1, active: true, extra: null },
        extra: { id: 'a', rank: 1, active: true, extra: { a: 1 } },
        absent: { id: 'a', rank: 1, active: true },
      }),
    },
    {
      name: 'validation groups',
      type: GroupsDto,
      inputs: values({ valid: { name: 'a', n: 1 }, wrong: { name: 1, n: 'x' }, flag: { name: 'a', n: 1, flag: 'x' }, empty: {} }),
    },
    { name: 'rules of every group', type: AlwaysDto, inputs: values({ valid: { name: 'a' }, wrong: { name: 1 }, absent: {} }) },
    {
      name: '@Allow and @IsDefined',
      type: LooseDto,
      inputs: values({
        both: { anything: [1], something: 'a' },
        null: { something: null },
        false: { something: false },
        absent: { anything: 1 },
      }),
    },
    {
      name: 'null by @ValidateIf',
      type: NullableDto,
      inputs: values({ text: { name: 'a' }, null: { name: null }, absent: {}, number: { name: 5 } }),
    },
    { name: '@ValidatePromise', type: PromiseDto, inputs: values({ value: { later: 1 }, none: {} }) },
    {
      name: 'private and readonly properties',
      type: PrivateDto,
      inputs: values({ valid: { name: 'a', secret: 1 }, wrong: { name: 'a', secret: 'x' }, method: { name: 'a', reveal: 1 } }),
    },
  ],
};
