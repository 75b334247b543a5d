import { McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable, Module, UseGuards, type CanActivate } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  early(): string {
    return 'early';
  }
}

@Injectable()
class Prices {
  readonly tea = 3;
}

@Injectable()
class DenyAll implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class LazyTools {
  constructor(private readonly prices: Prices) {}

  @McpTool({ description: 'x' })
  late(): string {
    return `tea ${this.prices.tea}`;
  }

  @UseGuards(DenyAll)
  @McpTool({ description: 'x' })
  guarded(): string {
    return 'never';
  }
}

@Module({ providers: [Prices, LazyTools] })
class LazyModule {}

@Injectable()
class Faulty {
  @McpTool({ name: 'early', description: 'x' })
  again(): string {
    return '';
  }
}

@Module({ providers: [Faulty] })
class FaultyModule {}

describe('A-14: the tools of a module that is loaded lazily are offered once it is loaded', () => {
  let testing: McpTestingApp;
  beforeEach(async () => {
    testing = await createMcpTestingApp({ providers: [Tools] });
  });
  afterEach(() => testing.close());

  const names = async (): Promise<string[]> => (await testing.client().listTools()).result!.tools.map(({ name }) => name);
  const load = (module: new () => object): Promise<unknown> => testing.app.get(LazyModuleLoader).load(() => module);

  it('with their dependencies and guards, and once', async () => {
    await Promise.all([load(LazyModule), load(LazyModule)]);
    await load(LazyModule);
    expect(await names()).toEqual(['early', 'late', 'guarded']);
    expect((await testing.client().callTool('late')).result?.content).toEqual([{ type: 'text', text: 'tea 3' }]);
    expect((await testing.client().callTool('guarded')).error?.message).toBe('Forbidden');
  });

  it('what is wrong with them is what the load ends with', async () => {
    const ended = await load(FaultyModule).catch((error: unknown) => error);
    expect(String(ended)).toMatch(/Faulty\.again: the tool name "early" is already used by/);
    expect(await names()).toEqual(['early']);
  });
});
