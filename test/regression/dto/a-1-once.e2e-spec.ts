import { McpArg, McpArgs, McpContext, McpPrompt, McpResourceTemplate, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { accept, answerInput, createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import { Body, Controller, Injectable, Post, UsePipes, ValidationPipe, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsPositive, IsString, ValidateNested } from 'class-validator';

class Cents {
  @Transform(({ value }) => Math.round(Number(value) * 100)) @IsInt() @IsPositive() price!: number;
}
class Renamed {
  @Expose({ name: 'full_name' }) @IsString() fullName!: string;
}
class Cat {
  @IsInt() lives!: number;
}
class Dog {
  @IsString() breed!: string;
}
class Owner {
  @ValidateNested()
  @Type(() => Cat, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'cat', value: Cat },
        { name: 'dog', value: Dog },
      ],
    },
  })
  pet!: Cat | Dog;
}

let seen: unknown[] = [];
const record = (value: unknown): string => {
  seen.push(value);
  return 'ok';
};

class Spy implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    seen.push({ type, metatype, value, plain: Object.getPrototypeOf(value) === Object.prototype });
    return value;
  }
}

@Injectable()
class Handlers {
  @McpTool({ description: 'x' })
  cents(@McpArgs() { price }: Cents): string {
    return record(price);
  }

  @McpTool({ description: 'x' })
  part(@McpArg('cents', { schema: Cents }) cents: Cents): string {
    return record(cents);
  }

  @McpTool({ description: 'x' })
  renamed(@McpArgs() args: Renamed): string {
    return record(args.fullName);
  }

  @McpTool({ description: 'x' })
  union(@McpArgs() { pet }: Owner): string {
    return record(pet.constructor.name);
  }

  @McpPrompt()
  prompt(@McpArgs() { price }: Cents): string {
    return record(price);
  }

  @McpResourceTemplate({ uriTemplate: 'cents://{price}' })
  read(@McpArgs() { price }: Cents): string {
    return record(price);
  }

  @McpTask()
  @McpTool({ description: 'x' })
  async asks(@McpArgs() { price }: Cents, @McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.elicit('go', { message: '?', schema: { type: 'object', properties: { yes: { type: 'boolean' } } } });
    return record(price);
  }

  @McpTool({ description: 'x' })
  @UsePipes(new Spy())
  spied(@McpArgs() args: Cents): string {
    return record(args);
  }
}

@Controller()
class Routes {
  @Post('cents')
  cents(@Body() { price }: Cents): string {
    return record(price);
  }
}

describe.each<[string, ValidationPipe | undefined]>([
  ['a pipe that transforms', new ValidationPipe({ transform: true })],
  ['a pipe that strips', new ValidationPipe({ whitelist: true })],
  ['a bare pipe', new ValidationPipe()],
  ['no pipe', undefined],
])('A-1: each decorator of a DTO runs once, with %s', (_title, pipe) => {
  let testing: McpTestingApp;
  beforeAll(async () => {
    testing = await createMcpTestingApp({
      imports: [McpTasksModule.forRoot()],
      controllers: [Routes],
      providers: [Handlers, ...(pipe ? [{ provide: APP_PIPE, useValue: pipe }] : [])],
    });
  });
  afterAll(() => testing.close());
  beforeEach(() => (seen = []));

  it('gives a tool what a route gets', async () => {
    const { result } = await testing.client().callTool('cents', { price: 5 });
    expect({ result, seen }).toMatchObject({ result: { content: [{ text: 'ok' }] }, seen: [500] });
  });

  it('gives one argument, a prompt and a template the same', async () => {
    await testing.client().callTool('part', { cents: { price: 5 } });
    await testing.client().request('prompts/get', { name: 'prompt', arguments: { price: '5' } });
    await testing.client().request('resources/read', { uri: 'cents://5' });
    expect(seen).toEqual([Object.assign(new Cents(), { price: 500 }), 500, 500]);
    expect(seen[0]).toBeInstanceOf(Cents);
  });

  it('accepts the incoming name of a renamed property', async () => {
    const { result } = await testing.client().callTool('renamed', { full_name: 'Ada' });
    expect({ result, seen }).toMatchObject({ result: { content: [{ text: 'ok' }] }, seen: ['Ada'] });
  });

  it('keeps the class of a union', async () => {
    await testing.client().callTool('union', { pet: { kind: 'dog', breed: 'lab' } });
    expect(seen).toEqual(['Dog']);
  });

  it('gives a task the same when it is resumed', async () => {
    const client = testing.client().withTasks();
    const { result } = await client.callTool('asks', { price: 5 });
    const { taskId } = result as unknown as { taskId: string };
    await pollTask(client, taskId, { until: ({ status }) => status === 'input_required' });
    await answerInput(client, { taskId }, { go: accept({}) });
    await pollTask(client, taskId);
    expect(seen).toEqual([500]);
  });

  it("gives the author's pipes the plain value and its class", async () => {
    await testing.client().callTool('spied', { price: 5 });
    if (pipe === undefined) expect(seen[0]).toEqual({ type: 'body', metatype: Cents, value: { price: 5 }, plain: true });
    expect(seen.at(-1)).toEqual(Object.assign(new Cents(), { price: 500 }));
  });
});

describe('A-1: a pipe that transforms does the same on a route', () => {
  it('gives 500 for 5', async () => {
    const testing = await createMcpTestingApp({
      controllers: [Routes],
      providers: [{ provide: APP_PIPE, useValue: new ValidationPipe({ transform: true }) }],
    });
    seen = [];
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(new URL('/cents', testing.url), { method: 'POST', headers, body: '{"price":5}' });
    expect({ status, seen }).toEqual({ status: 201, seen: [500] });
    await testing.close();
  });
});
