import {
  BadRequestException,
  DefaultValuePipe,
  HttpStatus,
  Injectable,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Scope,
  UnprocessableEntityException,
  UsePipes,
  ValidationPipe,
  type ArgumentMetadata,
  type PipeTransform,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Length, Min, MinLength, ValidateNested } from 'class-validator';
import { spy } from '../model/journal.js';
import { values, type Group, type Pipe, type Row, type SingleParam } from '../model/row.js';

class PlaceDto {
  @IsString()
  city!: string;
}

class PersonDto {
  @Expose()
  @Transform(({ value }: { value: unknown }) => {
    spy('@Transform');
    return typeof value === 'string' ? value.trim() : value;
  })
  @IsString()
  @MinLength(2)
  name!: string;

  @Expose()
  @IsOptional()
  @IsInt()
  @Min(0)
  age?: number;

  @Expose()
  @IsOptional()
  @ValidateNested()
  @Type(() => PlaceDto)
  place?: PlaceDto;
}

class GroupedDto {
  @IsString({ groups: ['create'] })
  @Length(2, 4, { groups: ['update'] })
  name!: string;
}

const people = values({
  valid: { name: ' Ada ', age: 3 },
  nested: { name: 'Ada', place: { city: 'Lille' } },
  short: { name: 'A', age: -1 },
  blank: { name: '  ' },
  types: { name: 5, age: 'x' },
  digits: { name: 'Ada', age: '3' },
  more: { name: 'Ada', other: 1, place: { city: 'Lille', zip: 2 } },
  'nested wrong': { name: 'Ada', place: { city: 5 } },
  null: { name: null },
  'age null': { name: 'Ada', age: null },
  absent: {},
});

/** A row whose class has a `ValidationPipe` with these settings. */
function validation(name: string, options?: ValidationPipeOptions, more: Partial<Row> = {}): Row {
  const onClass = [UsePipes(new ValidationPipe(options)) as ClassDecorator];
  return { name, type: PersonDto, inputs: people, enhancers: { onClass }, carriers: 'by turns', ...more };
}

const isContext = (value: unknown): boolean => typeof (value as { elicit?: unknown } | null)?.elicit === 'function';

/** A pipe that is counted, with what Nest tells it of its parameter. */
function countingPipe(name: string): Pipe {
  @Injectable()
  class CountingPipe implements PipeTransform {
    transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
      if (!isContext(value)) spy(`${name} pipe, ${type} ${metatype?.name} ${data}`);
      return value;
    }
  }
  return CountingPipe;
}

@Injectable({ scope: Scope.REQUEST })
class ScopedPipe implements PipeTransform {
  transform(value: unknown): unknown {
    if (!isContext(value)) spy('request-scoped pipe');
    return value;
  }
}

@Injectable()
class UpperPipe implements PipeTransform {
  transform(value: unknown): unknown {
    if (isContext(value) || typeof value !== 'object' || value === null) return value;
    const { name } = value as { name?: unknown };
    return typeof name === 'string' ? Object.assign(value, { name: name.toUpperCase() }) : value;
  }
}

@Injectable()
class PickyPipe implements PipeTransform {
  transform(value: unknown): unknown {
    if (!isContext(value) && (value as { name?: unknown }).name === 'Ada') throw new UnprocessableEntityException('Nobody is called Ada');
    return value;
  }
}

const DTO_PIPE = new ValidationPipe({ transform: true });

/** Settings of `ValidationPipe`. */
export const validationPipes: Group = {
  name: 'settings of ValidationPipe',
  rows: [
    validation('transform', { transform: true }, { carriers: 'all' }),
    validation('without transform'),
    validation('whitelist', { whitelist: true, transform: true }),
    validation('forbidNonWhitelisted', { whitelist: true, forbidNonWhitelisted: true, transform: true }),
    validation('skipMissingProperties', { skipMissingProperties: true, transform: true }),
    validation('skipNullProperties', { skipNullProperties: true, transform: true }),
    validation('skipUndefinedProperties', { skipUndefinedProperties: true, transform: true }),
    validation('exceptionFactory', {
      transform: true,
      exceptionFactory: (errors) => new UnprocessableEntityException(`Wrong: ${errors.map(({ property }) => property).join()}`),
    }),
    validation('errorHttpStatusCode', { transform: true, errorHttpStatusCode: HttpStatus.UNPROCESSABLE_ENTITY }),
    validation('enableImplicitConversion', { transform: true, transformOptions: { enableImplicitConversion: true } }),
    validation('excludeExtraneousValues', { transform: true, transformOptions: { excludeExtraneousValues: true } }),
    validation('stopAtFirstError', { transform: true, stopAtFirstError: true }),
    validation('disableErrorMessages', { transform: true, disableErrorMessages: true }),
    validation('errorFormat', { transform: true, errorFormat: 'grouped' }),
    validation('forbidUnknownValues', { transform: true, forbidUnknownValues: true }),
    validation('always', { transform: true, always: true }),
    validation(
      'groups',
      { transform: true, groups: ['update'] },
      { type: GroupedDto, inputs: values({ valid: { name: 'abc' }, long: { name: 'abcdef' }, number: { name: 5 }, absent: {} }) },
    ),
    validation(
      'other groups',
      { transform: true, groups: ['create'], strictGroups: true },
      { type: GroupedDto, inputs: values({ valid: { name: 'abc' }, long: { name: 'abcdef' }, number: { name: 5 }, absent: {} }) },
    ),
  ],
};

const place = (name: string, enhancers: Row['enhancers']): Row => ({
  name,
  type: PersonDto,
  inputs: people,
  enhancers: enhancers!,
  carriers: 'by turns',
  routePipes: [DTO_PIPE],
});

/** Pipes at every place, and the author's own. */
export const placedPipes: Group = {
  name: 'places of pipes',
  rows: [
    {
      ...place('on the class, the method and the parameter', {
        onClass: [UsePipes(countingPipe('class'))],
        onMethod: [UsePipes(countingPipe('method'))],
        pipes: [DTO_PIPE, countingPipe('parameter')],
      }),
      routePipes: [],
      carriers: 'all',
    },
    { ...place('ValidationPipe on the method', { onMethod: [UsePipes(DTO_PIPE)] }), routePipes: [] },
    { ...place('ValidationPipe on the parameter', { pipes: [DTO_PIPE] }), routePipes: [] },
    {
      ...place('ValidationPipe twice', { onClass: [UsePipes(DTO_PIPE)], onMethod: [UsePipes(DTO_PIPE)] }),
      routePipes: [],
    },
    { ...place('an own pipe after ValidationPipe', { onMethod: [UsePipes(DTO_PIPE, UpperPipe)] }), routePipes: [] },
    { ...place('an own pipe that refuses, before ValidationPipe', { onMethod: [UsePipes(PickyPipe, DTO_PIPE)] }), routePipes: [] },
    { ...place('an own pipe before ValidationPipe', { onMethod: [UsePipes(UpperPipe, DTO_PIPE)] }), routePipes: [] },
    { ...place('a request-scoped pipe', { onMethod: [UsePipes(ScopedPipe, DTO_PIPE)] }), routePipes: [], carriers: 'all' },
  ],
};

enum Colour {
  Red = 'red',
  Blue = 'blue',
}

function single(type: unknown, param: SingleParam, { pipes, inputs }: { pipes: readonly Pipe[]; inputs: Row['inputs'] }): Row {
  const name = pipes.map((pipe) => (typeof pipe === 'function' ? pipe.name : pipe.constructor.name)).join(', ');
  return { name: `${name} of ${param.name}`, type, param, inputs, enhancers: { pipes } };
}

/** Pipes of a single parameter. */
export const parameterPipes: Group = {
  name: 'pipes of one parameter',
  rows: [
    single(
      Number,
      { name: 'digits', schema: 'string' },
      {
        pipes: [ParseIntPipe],
        inputs: values({
          valid: { digits: '12' },
          negative: { digits: '-1' },
          text: { digits: 'x' },
          fraction: { digits: '1.5' },
          absent: {},
        }),
      },
    ),
    single(
      Number,
      { name: 'real', schema: 'string' },
      { pipes: [ParseFloatPipe], inputs: values({ valid: { real: '1.5' }, text: { real: 'x' } }) },
    ),
    single(
      Boolean,
      { name: 'flag', schema: 'string' },
      { pipes: [ParseBoolPipe], inputs: values({ valid: { flag: 'true' }, no: { flag: 'false' }, text: { flag: 'x' } }) },
    ),
    single(
      String,
      { name: 'uuid', schema: 'string' },
      { pipes: [ParseUUIDPipe], inputs: values({ valid: { uuid: '9b2f6c1e-8f0a-4c5d-9a57-2f1c3d4e5f60' }, text: { uuid: 'x' } }) },
    ),
    single(
      String,
      { name: 'colour', schema: 'string' },
      { pipes: [new ParseEnumPipe(Colour)], inputs: values({ valid: { colour: 'red' }, text: { colour: 'x' } }) },
    ),
    single(
      Date,
      { name: 'day', schema: 'string' },
      { pipes: [new ParseDatePipe()], inputs: values({ valid: { day: '2026-12-24' }, text: { day: 'soon' } }) },
    ),
    single(
      Array,
      { name: 'list', schema: 'string' },
      { pipes: [new ParseArrayPipe({ items: Number })], inputs: values({ valid: { list: '1,2' }, text: { list: 'a,b' } }) },
    ),
    single(
      Array,
      { name: 'items', schema: { type: 'array' } },
      {
        pipes: [new ParseArrayPipe({ items: PlaceDto })],
        inputs: values({ valid: { items: [{ city: 'Lille' }] }, wrong: { items: [{ city: 5 }] } }),
      },
    ),
    single(
      Number,
      { name: 'page', schema: 'string', required: false },
      { pipes: [new DefaultValuePipe(1), ParseIntPipe], inputs: values({ valid: { page: '3' }, absent: {}, text: { page: 'x' } }) },
    ),
    single(
      PlaceDto,
      { name: 'place', schema: PlaceDto },
      {
        pipes: [DTO_PIPE],
        inputs: values({ valid: { place: { city: 'Lille' } }, wrong: { place: { city: 5 } }, more: { place: { city: 'Lille', zip: 1 } } }),
      },
    ),
    single(
      Number,
      { name: 'code', schema: 'string' },
      {
        pipes: [new ParseIntPipe({ errorHttpStatusCode: HttpStatus.NOT_ACCEPTABLE })],
        inputs: values({ valid: { code: '1' }, text: { code: 'x' } }),
      },
    ),
    single(
      Number,
      { name: 'own', schema: 'string' },
      {
        pipes: [new ParseIntPipe({ exceptionFactory: (why) => new BadRequestException(`No: ${why}`) })],
        inputs: values({ valid: { own: '1' }, text: { own: 'x' } }),
      },
    ),
  ],
};

/** DTOs for pipes that stand for the whole application. */
export const globalPipes: Group = {
  name: 'a pipe of the whole application',
  rows: [{ name: 'a person', type: PersonDto, inputs: people }],
};
