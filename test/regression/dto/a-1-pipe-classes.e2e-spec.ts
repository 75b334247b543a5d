import { McpArgs, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Body, Controller, Injectable, Post, Scope, UsePipes, ValidationPipe, type PipeTransform, type Type } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { IsInt, IsString } from 'class-validator';

class Args {
  @IsString({ groups: ['create'] }) name!: string;
  @IsInt({ groups: ['update'] }) id!: number;
}

/** Its options stand in its constructor, so that only an instance tells them. */
@Injectable()
class OwnPipe extends ValidationPipe {
  constructor() {
    super({ transform: true, groups: ['create'] });
  }
}

@Injectable({ scope: Scope.REQUEST })
class PerRequest extends OwnPipe {}

/** Judges by a method of its own. */
@Injectable()
class ByMethod extends ValidationPipe {
  protected override validate(object: object): Promise<never[]> | never[] {
    const { name } = object as Args;
    return (typeof name === 'string' ? [] : [{ property: 'name', constraints: { isString: 'must be a string' } }]) as never[];
  }
}

let seen: unknown;
const record = (value: unknown): string => {
  seen = value;
  return 'ok';
};

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  @UsePipes(OwnPipe)
  ownPipe(@McpArgs() args: Args): string {
    return record(args);
  }

  @McpTool({ description: 'x' })
  @UsePipes(PerRequest)
  perRequest(@McpArgs() args: Args): string {
    return record(args);
  }

  @McpTool({ description: 'x' })
  @UsePipes(ByMethod)
  byMethod(@McpArgs() args: Args): string {
    return record(args);
  }

  @McpTool({ description: 'x' })
  ofParameter(@McpArgs({ pipes: [OwnPipe] }) args: Args): string {
    return record(args);
  }
}

@Controller()
class Routes {
  @Post('ownPipe')
  @UsePipes(OwnPipe)
  ownPipe(@Body() args: Args): string {
    return record(args);
  }

  @Post('perRequest')
  @UsePipes(PerRequest)
  perRequest(@Body() args: Args): string {
    return record(args);
  }

  @Post('byMethod')
  @UsePipes(ByMethod)
  byMethod(@Body() args: Args): string {
    return record(args);
  }

  @Post('ofParameter')
  ofParameter(@Body(OwnPipe) args: Args): string {
    return record(args);
  }
}

/** What the route and the tool of that name make of the same body. */
async function bothWays(testing: McpTestingApp, name: string, body: object): Promise<[route: unknown, tool: unknown]> {
  seen = undefined;
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(new URL(`/${name}`, testing.url), { method: 'POST', headers, body: JSON.stringify(body) });
  const route = { refused: status >= 400, seen };
  seen = undefined;
  const { result } = await testing.client().callTool(name, body as never);
  return [route, { refused: result?.isError === true, seen }];
}

describe('A-1: a pipe given as a class judges by its own rules', () => {
  let testing: McpTestingApp;
  beforeAll(async () => (testing = await createMcpTestingApp({ providers: [Tools], controllers: [Routes] })));
  afterAll(() => testing.close());

  it.each(['ownPipe', 'perRequest', 'byMethod', 'ofParameter'])('%s: what it takes is taken, what it refuses is refused', async (name) => {
    const [route, tool] = await bothWays(testing, name, { name: 'a', id: 'x' });
    expect(tool).toEqual({ refused: false, seen: { name: 'a', id: 'x' } });
    expect(tool).toEqual(route);
    const [refusingRoute, refusingTool] = await bothWays(testing, name, { name: 5, id: 1 });
    expect(refusingTool).toEqual({ refused: true, seen: undefined });
    expect(refusingTool).toEqual(refusingRoute);
  });
});

@Injectable()
class Unpiped {
  @McpTool({ description: 'x' })
  run(@McpArgs() args: Args): string {
    return record(args);
  }
}

describe('A-1: a pipe of the whole application judges by its own rules', () => {
  it.each<[string, Type<PipeTransform>]>([
    ['made once', OwnPipe],
    ['made per request', PerRequest],
  ])('%s', async (_title, useClass) => {
    const testing = await createMcpTestingApp({ providers: [Unpiped, { provide: APP_PIPE, useClass }] });
    seen = undefined;
    const { result } = await testing.client().callTool('run', { name: 'a', id: 'x' });
    await testing.close();
    expect([result?.isError, seen]).toEqual([undefined, { name: 'a', id: 'x' }]);
  });
});
