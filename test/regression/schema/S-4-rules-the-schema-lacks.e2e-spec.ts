import { McpArgs, McpField, McpPrompt, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import {
  IsString,
  Matches,
  Validate,
  ValidateBy,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { Type } from 'class-transformer';

const SLUG = /^([a-z0-9]+-?)+$/i;
/** Short, and exponential for the pattern: two more letters take four times as long. */
const HOSTILE = `${'a'.repeat(28)}!`;
const text = { type: 'string' } as never;

class Slug {
  @McpField({ schema: text })
  @Matches(SLUG)
  slug!: string;
}

class Inner {
  @McpField({ schema: text })
  @Matches(SLUG, { each: false })
  slug!: string;
}
class Nested {
  @ValidateNested()
  @Type(() => Inner)
  inner!: Inner;
}

@ValidatorConstraint({ name: 'ownSlug' })
class OwnSlug implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return SLUG.test(String(value));
  }
}
class Own {
  @McpField({ schema: text })
  @Validate(OwnSlug)
  slug!: string;
}
class OwnDecorator {
  @McpField({ schema: text })
  @ValidateBy({ name: 'slugBy', validator: { validate: (value) => SLUG.test(String(value)) } })
  slug!: string;
}
class Beside {
  @McpField({ schema: text })
  @IsString()
  @Matches(SLUG)
  slug!: string;
}

@Injectable()
class Tools {
  @McpTool({ description: 'A pattern with a flag' })
  slug(@McpArgs() _args: Slug): string {
    return 'entered';
  }

  @McpTool({ description: 'A pattern in a nested class' })
  nested(@McpArgs() _args: Nested): string {
    return 'entered';
  }

  @McpTool({ description: 'A rule of a class' })
  own(@McpArgs() _args: Own): string {
    return 'entered';
  }

  @McpTool({ description: 'A rule of a function' })
  by(@McpArgs() _args: OwnDecorator): string {
    return 'entered';
  }

  @McpPrompt({ description: 'A pattern of a prompt' })
  prompt(@McpArgs() _args: Beside): string {
    return 'entered';
  }
}

describe('S-4: a rule of class-validator that the schema does not repeat is stopped in time', () => {
  let testing: McpTestingApp;

  beforeAll(async () => {
    testing = await createMcpTestingApp({ providers: [Tools] });
  });
  afterAll(() => testing.close());

  async function told(call: () => Promise<unknown>): Promise<string> {
    return JSON.stringify(await call());
  }

  test.each<[string, string, object]>([
    ['a pattern with a flag, beside a schema by hand', 'slug', { slug: HOSTILE }],
    ['the same in a nested class', 'nested', { inner: { slug: HOSTILE } }],
    ['a rule of the application as a class', 'own', { slug: HOSTILE }],
    ['a rule of the application as a function', 'by', { slug: HOSTILE }],
  ])('%s', async (_title, tool, args) => {
    const { client } = testing;
    expect(await told(() => client().callTool(tool, args as never))).toContain('takes too long to check');
    const honest = JSON.parse(JSON.stringify(args).replace(HOSTILE, 'an-honest-slug')) as never;
    expect(await told(() => client().callTool(tool, honest))).toContain('entered');
  });

  test('an argument of a prompt', async () => {
    const reply = await testing.client().request('prompts/get', { name: 'prompt', arguments: { slug: HOSTILE } });
    expect(JSON.stringify(reply)).toContain('takes too long to check');
  });
});
