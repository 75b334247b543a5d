import { McpDefinitionsError, McpTool, McpValueResolver } from '@mocapi/core';
import { McpTask, McpTasksModule, type McpTaskOptions, type McpTasksModuleOptions } from '@mocapi/tasks';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable, type Type } from '@nestjs/common';

/** A class with one task tool. */
function toolWith(options: McpTaskOptions, annotations = {}): Type {
  @Injectable()
  class VideoTools {
    @McpTool({ description: 'A tool', annotations })
    @McpTask(options)
    encode(): string {
      return 'done';
    }
  }
  return VideoTools;
}

function boot(providers: Type[], tasks: McpTasksModuleOptions | null = {}): Promise<McpTestingApp> {
  return createMcpTestingApp({ imports: tasks ? [McpTasksModule.forRoot(tasks)] : [], providers });
}

/** The faults that stop the boot. */
async function faults(providers: Type[], tasks?: McpTasksModuleOptions | null): Promise<McpDefinitionsError> {
  const error: unknown = await boot(providers, tasks).then(
    (app) => app.close().then(() => undefined),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof McpDefinitionsError)) throw new Error(`Expected the boot to stop with faults, but: ${String(error)}`);
  return error;
}

describe('an option of @McpTask that is wrong stops the boot, naming class, method and option', () => {
  it.each<[string, McpTaskOptions, RegExp]>([
    ['a ttl that is no duration', { ttl: 'two hours' }, /@McpTask ttl: .*two hours/],
    ['an empty ttl', { ttl: '' }, /@McpTask ttl/],
    ['a ttl of zero', { ttl: 0 }, /@McpTask ttl: .*zero/],
    ['a ttl of PT0S', { ttl: 'PT0S' }, /@McpTask ttl: .*zero/],
    ['a negative ttl', { ttl: -1 }, /@McpTask ttl/],
    ['a negative ISO ttl', { ttl: 'PT-1S' }, /@McpTask ttl/],
    ['a ttl of half a millisecond', { ttl: 0.5 }, /@McpTask ttl: .*whole/],
    ['a ttl that is not finite', { ttl: Number.NaN }, /@McpTask ttl/],
    ['a ttl in months', { ttl: 'P1M' }, /@McpTask ttl: .*calendar/],
    ['a ttl in years', { ttl: 'P1Y' }, /@McpTask ttl: .*calendar/],
    ['a ttl in weeks', { ttl: 'P2W' }, /@McpTask ttl: .*calendar/],
    ['a poll interval that is no duration', { pollInterval: 'soon' }, /@McpTask pollInterval: .*soon/],
    ['a poll interval of zero', { pollInterval: 0 }, /@McpTask pollInterval/],
    ['an unknown admission', { admission: 'later' as never }, /@McpTask admission: .*later/],
    ['an unknown recovery', { recover: 'retry' as never }, /@McpTask recover: .*retry/],
    ['a placeholder without a value', { ttl: '${MOCAPI_TEST_UNSET}' }, /@McpTask ttl: .*MOCAPI_TEST_UNSET/],
  ])('%s', async (_what, options, problem) => {
    const { faults: found, message } = await faults([toolWith(options)]);
    expect(found).toHaveLength(1);
    expect(found[0]!.where).toBe('VideoTools.encode');
    expect(found[0]!.problem).toMatch(problem);
    expect(found[0]!.fix).not.toBe('');
    expect(message).toContain(found[0]!.fix);
  });
});

describe('an option that does not exist', () => {
  it('of @McpTask stops the boot, each listed with the option that is meant', async () => {
    const misspelt: object = { recovr: 'replay', colour: 1, admission: undefined };
    const { faults: found } = await faults([toolWith(misspelt)]);
    expect(found).toEqual([
      { where: 'VideoTools.encode', problem: '@McpTask recovr: this option does not exist', fix: 'Did you mean recover?' },
      {
        where: 'VideoTools.encode',
        problem: '@McpTask colour: this option does not exist',
        fix: 'Remove it, or write one of ttl, pollInterval, required, admission, recover, guardsOnTakeover.',
      },
    ]);
  });

  it('of McpTasksModule and its limits stops the boot, listed with its other mistakes', async () => {
    const misspelt: object = { tll: 'PT1H', lease: 1, limits: { maxRuning: 1 } };
    const { faults: found } = await faults([], misspelt);
    expect(found).toMatchObject([
      { where: 'McpTasksModule tll', fix: 'Did you mean ttl?' },
      { where: 'McpTasksModule limits.maxRuning', fix: 'Did you mean maxRunning?' },
      { where: 'McpTasksModule lease' },
    ]);
  });
});

describe('@McpTask', () => {
  it('without @McpTool is a fault', async () => {
    @Injectable()
    class Half {
      @McpTask()
      encode(): void {}
    }
    const { faults: found } = await faults([Half]);
    expect(found).toMatchObject([
      { where: 'Half.encode', problem: expect.stringContaining('@McpTask'), fix: expect.stringContaining('@McpTool') },
    ]);
  });

  it('without its module is a fault, which names the module', async () => {
    const { faults: found } = await faults([toolWith({})], null);
    expect(found).toMatchObject([
      {
        where: 'VideoTools.encode',
        problem: expect.stringContaining('@McpTask'),
        fix: expect.stringContaining('McpTasksModule.forRoot()'),
      },
    ]);
  });

  it('with several faults, in several classes, has them listed all together', async () => {
    @Injectable()
    class Other {
      @McpTool({ description: '' })
      @McpTask({ recover: 'never' as never })
      index(): void {}

      @McpTask()
      half(): void {}
    }
    const { faults: found, message } = await faults([toolWith({ ttl: 'P1M' }), Other]);
    const places = found.map(({ where }) => where);
    expect(places).toEqual(expect.arrayContaining(['VideoTools.encode', 'Other.index', 'Other.half']));
    for (const { problem } of found) expect(message).toContain(problem);
    expect(message).toContain(`${found.length} mistakes`);
  });

  it('in any order with @McpTool, and inherited, is the same', async () => {
    @Injectable()
    class Base {
      @McpTask({ ttl: 5000 })
      @McpTool({ description: 'A tool' })
      encode(): string {
        return 'done';
      }
    }
    @Injectable()
    class Derived extends Base {}
    const app = await boot([Derived]);
    expect((await app.client().withTasks().callTool('encode')).result).toMatchObject({ resultType: 'task', ttlMs: 5000 });
    await app.close();
  });
});

it('names every option of one @McpTask that is wrong, not only the first', async () => {
  const { faults: found } = await faults([toolWith({ ttl: 'two hours', pollInterval: 'P1M', recover: 'never' as 'fail' })]);
  expect(found.map(({ problem }) => problem.split(':')[0])).toEqual(['@McpTask ttl', '@McpTask pollInterval', '@McpTask recover']);
});

describe('durations', () => {
  it.each<[string | number, number]>([
    ['PT2H', 7_200_000],
    ['P1DT1M', 86_460_000],
    ['PT0.25S', 250],
    [1, 1],
    ['1500', 1500],
    ['${MOCAPI_TEST_UNSET:PT5S}', 5000],
    ['${MOCAPI_TEST_TTL}', 9000],
    ['PT${MOCAPI_TEST_SECONDS}S', 7000],
  ])('%s are %d milliseconds', async (ttl, ms) => {
    process.env.MOCAPI_TEST_TTL = 'PT9S';
    process.env.MOCAPI_TEST_SECONDS = '7';
    const app = await boot([toolWith({ ttl, pollInterval: ttl })]);
    expect((await app.client().withTasks().callTool('encode')).result).toMatchObject({ ttlMs: ms, pollIntervalMs: ms });
    await app.close();
  });

  it("are resolved by the application's own value resolver", async () => {
    class Fixed extends McpValueResolver {
      override resolve(text: string): string {
        return text === '${ttl}' ? 'PT3S' : text;
      }
    }
    const app = await createMcpTestingApp({
      imports: [McpTasksModule.forRoot({ pollInterval: '${ttl}' })],
      providers: [toolWith({ ttl: '${ttl}' })],
      options: { providers: [{ provide: McpValueResolver, useClass: Fixed }] },
    });
    expect((await app.client().withTasks().callTool('encode')).result).toMatchObject({ ttlMs: 3000, pollIntervalMs: 3000 });
    await app.close();
  });
});

describe('an option of the module that is wrong', () => {
  it('stops the boot, with all of them listed', async () => {
    const options: McpTasksModuleOptions = {
      ttl: 'P1Y',
      pollInterval: -5,
      sweepInterval: 'often',
      abandonAfter: 0,
      lease: 99,
      drain: 'soon',
      maxAttempts: 0,
      guardsOnTakeover: 'ask' as 'run',
      limits: { maxRunning: 0, maxQueued: -1, maxActivePerPrincipal: 0, maxRecords: 1.5 },
    };
    const { faults: found } = await faults([toolWith({})], options);
    const scalars = ['guardsOnTakeover', 'ttl', 'pollInterval', 'sweepInterval', 'abandonAfter', 'lease', 'drain', 'maxAttempts'];
    const limits = ['maxRunning', 'maxQueued', 'maxActivePerPrincipal', 'maxRecords'].map((limit) => `limits.${limit}`);
    expect(found.map(({ where }) => where)).toEqual([...scalars, ...limits].map((option) => `McpTasksModule ${option}`));
  });
});
