import { Exclude, Expose, Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, MinLength, ValidateNested } from 'class-validator';
import { McpField } from '../../src/schema/dto/field-options.js';
import type { JsonObject } from '../../src/protocol/json.js';
import { accepted, input, output, propertyOf, refused } from './support.js';

class Address {
  @IsString() city!: string;
}

class Tree {
  @IsString() label!: string;
  @IsOptional() @Type(() => Tree) @ValidateNested({ each: true }) children?: Tree[];
}

describe('a nested class', () => {
  test('stands where it is used if it is used once', () => {
    class Person {
      @Type(() => Address) @ValidateNested() @McpField({ description: 'Home' }) address!: Address;
    }

    const address = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    expect(propertyOf(Person, 'address')).toEqual({ ...address, description: 'Home' });
  });

  test('stands under $defs if it is used twice, in arrays too', () => {
    class Person {
      @Type(() => Address) @ValidateNested() home!: Address;
      @Type(() => Address) @ValidateNested({ each: true }) others!: Address[];
    }

    const { json } = input(Person);
    expect(json['properties']).toEqual({
      home: { $ref: '#/$defs/Address' },
      others: { type: 'array', items: { $ref: '#/$defs/Address' } },
    });
    expect(Object.keys(json['$defs'] as JsonObject)).toEqual(['Address']);
  });

  test('may be the class itself', async () => {
    const schema = input(Tree);
    expect((schema.json['properties'] as JsonObject)['children']).toEqual({ type: ['array', 'null'], items: { $ref: '#' } });
    const value = (await accepted(schema, { label: 'a', children: [{ label: 'b', children: [{ label: 'c' }] }] })) as Tree;
    expect(value.children?.[0]?.children?.[0]).toBeInstanceOf(Tree);
    expect(await refused(schema, { label: 'a', children: [{ label: 'b', children: [{}] }] })).toEqual([
      { path: 'children[0].children[0].label', message: 'is required' },
    ]);
  });

  test('may hold itself below the root', () => {
    class Forest {
      @Type(() => Tree) @ValidateNested() tree!: Tree;
    }

    const { json } = input(Forest);
    expect((json['properties'] as JsonObject)['tree']).toEqual({ $ref: '#/$defs/Tree' });
    expect(json['$defs']).toEqual({
      Tree: {
        type: 'object',
        properties: { label: { type: 'string' }, children: { type: ['array', 'null'], items: { $ref: '#/$defs/Tree' } } },
        required: ['label'],
      },
    });
  });

  test('keeps a definition of its own if another class has the same name', () => {
    class Second {
      @IsInt() zip!: number;
    }
    Object.defineProperty(Second, 'name', { value: 'Address' });
    class Both {
      @Type(() => Address) @ValidateNested({ each: true }) a!: unknown[];
      @Type(() => Address) @ValidateNested() b!: unknown;
      @Type(() => Second) @ValidateNested() c!: unknown;
      @Type(() => Second) @ValidateNested() d!: unknown;
    }

    const definitions = input(Both).json['$defs'] as JsonObject;
    expect(Object.keys(definitions)).toEqual(['Address', 'Address2']);
    expect(definitions['Address2']).toMatchObject({ properties: { zip: { type: 'integer' } } });
  });
});

describe('a subclass', () => {
  class Base {
    @IsString() @MinLength(3) @McpField({ description: 'base', title: 'T' }) name!: string;
    @IsString() kept!: string;
  }
  class Sub extends Base {
    @MaxLength(9) @McpField({ description: 'sub' }) declare name: string;
    @IsInt() added!: number;
  }

  test('inherits, and overrides as class-validator does', () => {
    expect(input(Sub).json['properties']).toEqual({
      name: { type: 'string', maxLength: 9, title: 'T', description: 'sub' },
      kept: { type: 'string' },
      added: { type: 'integer' },
    });
  });

  test('does not change its base class', () => {
    expect(propertyOf(Base, 'name')).toEqual({ type: 'string', minLength: 3, title: 'T', description: 'base' });
  });
});

describe('a discriminated union', () => {
  abstract class Pet {
    @IsString() name!: string;
  }
  class Cat extends Pet {
    @IsInt() @McpField({ default: 9 }) lives!: number;
  }
  class Dog extends Pet {
    @IsString() breed!: string;
  }
  const discriminator = {
    property: 'kind',
    subTypes: [
      { name: 'cat', value: Cat },
      { name: 'dog', value: Dog },
    ],
  };
  class Owner {
    @Type(() => Pet, { discriminator, keepDiscriminatorProperty: true }) @ValidateNested() pet!: Cat | Dog;
    @IsOptional() @Type(() => Pet, { discriminator }) @ValidateNested({ each: true }) more?: (Cat | Dog)[];
  }

  test('is a oneOf whose branches the tag tells apart', () => {
    class One {
      @Type(() => Pet, { discriminator }) @ValidateNested() pet!: Cat | Dog;
    }
    expect(propertyOf(One, 'pet')).toEqual({
      type: 'object',
      oneOf: [
        {
          type: 'object',
          properties: { kind: { type: 'string', const: 'cat' }, name: { type: 'string' }, lives: { type: 'integer', default: 9 } },
          required: ['kind', 'name'],
        },
        {
          type: 'object',
          properties: { kind: { type: 'string', const: 'dog' }, name: { type: 'string' }, breed: { type: 'string' } },
          required: ['kind', 'name', 'breed'],
        },
      ],
    });
  });

  test('becomes instances of the tagged classes, with the defaults of each', async () => {
    const value = (await accepted(input(Owner), {
      pet: { kind: 'cat', name: 'Tom' },
      more: [
        { kind: 'dog', name: 'Rex', breed: 'lab' },
        { kind: 'cat', name: 'Kit', lives: 3 },
      ],
    })) as Owner;
    expect(value.pet).toBeInstanceOf(Cat);
    expect(value.pet).toEqual({ kind: 'cat', name: 'Tom', lives: 9 });
    expect(value.more?.[0]).toBeInstanceOf(Dog);
    expect(value.more?.[1]).toEqual({ name: 'Kit', lives: 3 });
  });

  test('tells only what the tagged branch lacks, and the tags if the tag is wrong', async () => {
    class One {
      @Type(() => Pet, { discriminator }) @ValidateNested() pet!: Cat | Dog;
    }
    expect(await refused(input(One), { pet: { kind: 'dog', name: 'Rex' } })).toEqual([{ path: 'pet.breed', message: 'is required' }]);
    expect(await refused(input(One), { pet: { kind: 'cow', name: 'Elsa' } })).toEqual([
      { path: 'pet.kind', message: 'must be "cat" or "dog"' },
    ]);
    expect(await refused(input(One), { pet: { name: 'Elsa' } })).toEqual([{ path: 'pet.kind', message: 'must be "cat" or "dog"' }]);
  });

  test('overrides the property that a subclass declares for the tag', () => {
    class Tagged {
      @IsString() kind = 't';
      @IsInt() n!: number;
    }
    class Holder {
      @Type(() => Tagged, { discriminator: { property: 'kind', subTypes: [{ name: 't', value: Tagged }] } })
      @ValidateNested()
      it!: Tagged;
    }
    expect(propertyOf(Holder, 'it')).toMatchObject({
      oneOf: [{ properties: { kind: { type: 'string', const: 't' } }, required: ['kind', 'n'] }],
    });
  });
});

describe('@Expose and @Exclude', () => {
  class Account {
    @Expose({ name: 'full_name' }) @IsString() fullName!: string;
    @Exclude({ toPlainOnly: true }) @IsString() password!: string;
    @Exclude({ toClassOnly: true }) @IsInt() id!: number;
  }

  test('name and hide properties in what is sent', async () => {
    const schema = input(Account);
    expect(Object.keys(schema.json['properties'] as JsonObject)).toEqual(['full_name', 'password']);
    expect(await accepted(schema, { full_name: 'Ada', password: 'x' })).toEqual({ fullName: 'Ada', password: 'x' });
  });

  test('name and hide properties in what is returned', async () => {
    const schema = output(Account);
    expect(Object.keys(schema.json['properties'] as JsonObject)).toEqual(['full_name', 'id']);
    const account = Object.assign(new Account(), { fullName: 'Ada', password: 'x', id: 7 });
    expect(await accepted(schema, account)).toEqual({ full_name: 'Ada', id: 7 });
    expect(account).toEqual({ fullName: 'Ada', password: 'x', id: 7 });
  });

  test('on the class leave only what is exposed', () => {
    @Exclude()
    class Closed {
      @Expose() @IsString() open!: string;
      @IsString() shut!: string;
    }
    expect(Object.keys(input(Closed).json['properties'] as JsonObject)).toEqual(['open']);
  });
});
