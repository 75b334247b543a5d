import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Injectable, UseInterceptors, type Provider, type Type } from '@nestjs/common';
import { jest } from '@jest/globals';
import { McpTool, type JsonObject } from '@mocapi/core';
import { McpTask, McpTasksModule, TaskStore } from '@mocapi/tasks';
import { accept, answerInput, createMcpTestingApp, pollTask, type McpTestingApp, type McpTestingAppOptions } from '@mocapi/testing';
import {
  Accounts,
  BadgeTools,
  BookingTools,
  CalendarTools,
  CleaningTools,
  FallbackInterceptor,
  Hotel,
  InspectionTools,
  ProjectTools,
  TitleTools,
} from '../../docs/guides/code/asking-and-steps.js';
import { EchoMethods, TimingInterceptor } from '../../docs/guides/code/extension.js';
import { AppModule as WeatherModule } from '../../docs/guides/code/getting-started/app.module.js';
import { ArticlesModule } from '../../docs/guides/code/guards-and-identity.js';
import { AppModule as VideoModule } from '../../docs/guides/code/readme/app.module.js';
import {
  ArchiveTools,
  ClippingTools,
  CountingTaskStore,
  Encoder,
  EncodingTools,
  TimeoutInterceptor,
} from '../../docs/guides/code/tasks.js';
import { ColourTools, OrderTools, QueryTools, ReportTools, RoundingTools, SearchTools } from '../../docs/guides/code/tools.js';
import { startServer } from '../support/server-process.mjs';
import { fencesOf, ROOT } from './markdown.js';

const opened: McpTestingApp[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((testing) => testing.close()));
});

async function boot(options: McpTestingAppOptions): Promise<McpTestingApp> {
  const testing = await createMcpTestingApp(options);
  opened.push(testing);
  return testing;
}

class StubHotel extends Hotel {
  reservations = 0;
  sessions = 0;

  async reserve() {
    this.reservations += 1;
    return { reservation: `R${this.reservations}`, price: 90 };
  }

  async open() {
    this.sessions += 1;
    return { close: async () => void (this.sessions -= 1) };
  }
}

async function bootWithHotel(...providers: Provider[]): Promise<McpTestingApp & { hotel: StubHotel }> {
  const hotel = new StubHotel();
  return { ...(await boot({ providers: [...providers, { provide: Hotel, useValue: hotel }] })), hotel };
}

class StubEncoder extends Encoder {
  reservations = 0;
  seconds = 100;

  async reserve() {
    this.reservations += 1;
    return { ticket: `T${this.reservations}` };
  }

  async *frames() {
    yield { done: 1, total: 2 };
    yield { done: 2, total: 2 };
  }

  async duration() {
    return this.seconds;
  }
}

async function bootWithEncoder(...tools: Type[]): Promise<McpTestingApp & { encoder: StubEncoder }> {
  const encoder = new StubEncoder();
  const imports = [McpTasksModule.forRoot()];
  return { ...(await boot({ imports, providers: [...tools, { provide: Encoder, useValue: encoder }] })), encoder };
}

describe('the app of "Getting started"', () => {
  it('boots, lists its tool and answers a call', async () => {
    const client = (await boot({ module: WeatherModule })).client();
    expect((await client.listTools()).result?.tools).toMatchObject([{ name: 'forecast', inputSchema: { required: ['city'] } }]);
    const { status, result } = await client.callTool('forecast', { city: 'Graz' });
    expect(status).toBe(200);
    expect(result?.structuredContent).toEqual({ city: 'Graz', unit: 'celsius', temperature: 21 });
  });

  it('refuses arguments that do not fit, for the model to read', async () => {
    const { result } = await (await boot({ module: WeatherModule })).client().callTool('forecast', { city: 'Graz', unit: 'kelvin' });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching('unit') }] });
  });
});

describe('the main file of "Getting started"', () => {
  it('listens, and gives the shown answer to the shown request', async () => {
    const guide = await readFile(join(ROOT, 'docs/guides/getting-started.md'), 'utf8');
    const fences = fencesOf({ path: 'getting-started.md', text: guide });
    const shown = (language: string): string => fences.find((fence) => fence.language === language)!.code;
    const headers = [...shown('sh').matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name!, value!] as [string, string]);
    const body = /-d '([^']+)'/.exec(shown('sh'))![1]!;

    const server = await startServer('docs/guides/code/getting-started/main.ts');
    try {
      const response = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body });
      const { result, ...rest } = (await response.json()) as { result: JsonObject };
      const { _meta, ...answer } = result;
      expect({ ...rest, result: answer }).toEqual(JSON.parse(shown('json')));
    } finally {
      await server.stop();
    }
  }, 30_000);
});

describe('the client of "Getting started"', () => {
  it('gets the answer of the tool from the main file', async () => {
    const server = await startServer('docs/guides/code/getting-started/main.ts');
    const script = `const { forecast } = await import('./docs/guides/code/getting-started/client.ts'); console.log(JSON.stringify(await forecast('${server.url}/mcp')))`;
    const flags = ['--conditions=@mocapi/source', '--import', './tools/register.mjs', '--input-type=module'];
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', script], { cwd: ROOT });
      expect(JSON.parse(stdout)).toEqual({ city: 'Graz', unit: 'celsius', temperature: 21 });
    } finally {
      await server.stop();
    }
  }, 30_000);
});

describe('the test of "Getting started"', () => {
  it('passes with the runner of Node', async () => {
    const flags = ['--conditions=@mocapi/source', '--import', './tools/register.mjs', '--test', '--test-reporter=tap'];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, 'docs/guides/code/getting-started/weather.test.ts'], {
      cwd: ROOT,
    });
    expect(stdout).toMatch(/^# pass 1$/m);
  }, 60_000);
});

describe('the app of the README', () => {
  it('answers a client without the extension within the call, and makes a task for one that has it', async () => {
    const testing = await boot({ module: VideoModule });
    const asked = await testing.client().callTool('encode', { uri: 'a.mp4' });
    expect(asked.result?.resultType).toBe('input_required');
    const synchronous = await answerInput(testing.client(), asked, { quality: accept({ quality: 'low' }) });
    expect(synchronous.result?.content?.[0]?.text).toBe('a.mp4 in low quality');

    const client = testing.client().withTasks();
    const { taskId, resultType } = (await client.callTool('encode', { uri: 'a.mp4' })).result!;
    expect(resultType).toBe('task');
    expect(await pollTask(client, taskId!)).toMatchObject({ status: 'input_required', inputRequests: { quality: {} } });
    await answerInput(client, { taskId: taskId! }, { quality: accept({ quality: 'high' }) });
    const done = await pollTask(client, taskId!);
    expect(done).toMatchObject({
      status: 'completed',
      statusMessage: '1/2: encoding',
      result: { content: [{ text: 'a.mp4 in high quality' }] },
    });
  });
});

describe('the tools of the guide', () => {
  it('answer as the guide says', async () => {
    const client = (await boot({ providers: [OrderTools, SearchTools, ColourTools, RoundingTools, ReportTools] })).client();
    const place = await client.callTool('order.place', { lines: [{ article: 'A-17' }] });
    expect(place.result?.structuredContent).toEqual({ lines: 1, first: 'A-17' });
    const search = await client.callTool('search', { query: 'bees' });
    expect(search.result?.structuredContent).toEqual({ titles: ['20 titles about bees'] });
    const mix = await client.callTool('mix', { colours: ['#ff0000', '#0000ff'] });
    expect(mix.result?.content).toEqual([{ type: 'text', text: 'A mixture of #ff0000 and #0000ff' }]);
    expect((await client.callTool('round', { value: 2.75 })).result?.structuredContent).toBe(3);
    const drawn = await client.callTool('chart', { title: 'Bees' });
    expect(drawn.result?.content).toMatchObject([{ text: 'Chart "Bees"' }, { type: 'image', annotations: { audience: ['user'] } }]);
    const chart = await client.callTool('chart', { title: ' ' });
    expect(chart.result).toMatchObject({ isError: true, content: [{ text: 'A chart needs a title: ask the user for one' }] });
  });
});

describe('an argument that the guide repeats in a header', () => {
  it('must be there, and agree', async () => {
    const client = (await boot({ providers: [QueryTools] })).client();
    const args = { region: 'eu', sql: 'SELECT 1' };
    expect(await client.callTool('query', args)).toMatchObject({
      status: 400,
      error: { code: -32020, data: { header: 'Mcp-Param-Region' } },
    });
    const { result } = await client.callTool('query', args, { headers: { 'mcp-param-region': 'eu' } });
    expect(result?.content?.[0]?.text).toBe('SELECT 1 in eu');
  });
});

describe('the questions of the guide', () => {
  it('run the step once, ask, and go on with the answer', async () => {
    const testing = await bootWithHotel(BookingTools);
    const asked = await testing.client().callTool('book', { city: 'Graz' });
    expect(Object.keys(asked.result!.inputRequests!)).toEqual(['confirm']);
    const { result } = await answerInput(testing.client(), asked, { confirm: accept({ confirmed: true }) });
    expect(result?.structuredContent).toEqual({ booked: true, reservation: 'R1' });
    expect(testing.hotel.reservations).toBe(1);
  });

  it('are asked together, and asked again only where an answer is missing', async () => {
    const client = (await bootWithHotel(BadgeTools)).client();
    const asked = await client.callTool('badge');
    expect(Object.keys(asked.result!.inputRequests!)).toEqual(['name', 'colour']);
    const again = await answerInput(client, asked, { name: accept({ name: 'Ida' }), colour: accept({ colour: 'pink' }) });
    expect(Object.keys(again.result!.inputRequests!)).toEqual(['colour']);
  });

  it('are not asked of a client that cannot ask', async () => {
    const client = (await bootWithHotel(CleaningTools, BadgeTools)).client({ capabilities: {} });
    expect((await client.callTool('empty')).result?.content?.[0]?.text).toMatch('cannot ask');
    const { status, error } = await client.callTool('badge');
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } });
    expect(status).toBe(400);
  });

  it('ask to open a page that is the same in the next execution, and look for themselves what came of it', async () => {
    const visited = new Set<string>();
    let pages = 0;
    const accounts: Accounts = {
      newPage: async () => ({ number: `P${(pages += 1)}`, url: `https://accounts.example/connect/${pages}` }),
      isConnected: async (number) => visited.has(number),
    };
    const testing = await boot({ providers: [CalendarTools, { provide: Accounts, useValue: accounts }] });
    const client = testing.client({ capabilities: { elicitation: { url: {} } } });
    const asked = await client.callTool('connect');
    expect(asked.result?.inputRequests?.['consent']?.params?.url).toBe('https://accounts.example/connect/1');
    const answers = { consent: { action: 'accept' } };
    expect((await answerInput(client, asked, answers)).result?.content?.[0]?.text).toMatch('Nothing was connected');
    visited.add('P1');
    expect((await answerInput(client, asked, answers)).result?.content?.[0]?.text).toBe('The calendar is connected');
  });

  it('may go to the model, where the client has one', async () => {
    const testing = await boot({ providers: [TitleTools] });
    const text = 'A long text about bees';
    expect((await testing.client().callTool('title', { text })).result?.content?.[0]?.text).toBe(text);
    const client = testing.client({ capabilities: { sampling: {} } });
    const asked = await client.callTool('title', { text });
    const said = { role: 'assistant', content: { type: 'text', text: 'Bees' }, model: 'm' };
    expect((await answerInput(client, asked, { title: said })).result?.content?.[0]?.text).toBe('Bees');
  });

  it('may be of several kinds', async () => {
    const client = (await boot({ providers: [ProjectTools] })).client({ capabilities: { elicitation: {}, roots: {} } });
    const asked = await client.callTool('make');
    expect(Object.keys(asked.result!.inputRequests!)).toEqual(['name', 'roots']);
    const { result } = await answerInput(client, asked, { name: accept({ name: 'Hive' }), roots: { roots: [{ uri: 'file:///hive' }] } });
    expect(result?.content?.[0]?.text).toBe('Hive in file:///hive');
  });

  it('run finally blocks before the question goes out', async () => {
    const testing = await bootWithHotel(InspectionTools);
    expect((await testing.client().callTool('inspect', { city: 'Graz' })).result?.resultType).toBe('input_required');
    expect(testing.hotel.sessions).toBe(0);
  });

  it('pass through an interceptor that has a fallback for failures', async () => {
    class FallibleTools extends BadgeTools {
      @McpTool({ description: 'Fails' })
      fail(): never {
        throw new Error('out of order');
      }
    }
    Injectable()(FallibleTools);
    UseInterceptors(FallbackInterceptor)(FallibleTools);
    const client = (await boot({ providers: [FallibleTools] })).client();
    expect((await client.callTool('badge')).result?.resultType).toBe('input_required');
    expect((await client.callTool('fail')).result?.content?.[0]?.text).toBe('Please try again later');
  });
});

describe('the tasks of the guide', () => {
  it('report progress and end with what the tool returned', async () => {
    const testing = await bootWithEncoder(EncodingTools);
    const client = testing.client().withTasks();
    const { taskId, ttlMs, pollIntervalMs } = (await client.callTool('encode', { uri: 'a.mp4' })).result!;
    expect({ ttlMs, pollIntervalMs }).toEqual({ ttlMs: 7_200_000, pollIntervalMs: 5000 });
    const done = await pollTask(client, taskId!);
    expect(done).toMatchObject({ status: 'completed', statusMessage: '2/2: frames', result: { structuredContent: { ticket: 'T1' } } });
  });

  it('begin where the body says so, when admission is manual', async () => {
    const testing = await bootWithEncoder(ClippingTools);
    const client = testing.client().withTasks();
    expect((await client.callTool('clip', { uri: 'a.mp4' })).result?.resultType).toBe('task');
    testing.encoder.seconds = 5;
    expect((await client.callTool('clip', { uri: 'a.mp4' })).result?.content?.[0]?.text).toBe('a.mp4 is a clip already');
  });

  it('refuse a client without the extension, when they are required', async () => {
    const { status, error } = await (await bootWithEncoder(ArchiveTools)).client().callTool('rebuild');
    expect({ status, code: error?.code }).toEqual({ status: 400, code: -32021 });
    expect(error?.data).toEqual({ requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } });
  });

  it('are kept by the store that the module is given', async () => {
    const store = new CountingTaskStore();
    const imports = [McpTasksModule.forRoot({ providers: [{ provide: TaskStore, useValue: store }] })];
    const client = (await boot({ imports, providers: [ArchiveTools] })).client().withTasks();
    await client.callTool('rebuild');
    expect(store.created).toBe(1);
  });
});

describe('the timeout interceptor of the guide', () => {
  const entered: (() => void)[] = [];
  const gate = { open: (): void => undefined };

  @Injectable()
  @UseInterceptors(TimeoutInterceptor)
  class SlowTools {
    @McpTool({ description: 'Waits' })
    @McpTask()
    async wait(): Promise<string> {
      const isOpen = new Promise<void>((resolve) => (gate.open = resolve));
      entered.shift()?.();
      await isOpen;
      return 'done';
    }
  }

  // RxJS waits by setInterval, which alone is faked.
  const realTimers = [
    'Date',
    'hrtime',
    'nextTick',
    'performance',
    'queueMicrotask',
    'setImmediate',
    'clearImmediate',
    'setTimeout',
    'clearTimeout',
  ];
  beforeEach(() => void jest.useFakeTimers({ doNotFake: realTimers as never[] }));
  afterEach(() => void jest.useRealTimers());

  it('ends a synchronous call in time, and leaves a task alone', async () => {
    const testing = await boot({ imports: [McpTasksModule.forRoot()], providers: [SlowTools] });
    const inBody = (): Promise<void> => new Promise((resolve) => entered.push(resolve));

    const body = inBody();
    const call = testing.client().callTool('wait');
    await body;
    jest.advanceTimersByTime(5000);
    expect((await call).result).toMatchObject({ isError: true, content: [{ text: 'Request Timeout' }] });
    gate.open();

    const client = testing.client().withTasks();
    const taskBody = inBody();
    const { taskId } = (await client.callTool('wait')).result!;
    await taskBody;
    jest.advanceTimersByTime(60_000);
    expect((await client.request('tasks/get', { taskId: taskId! })).result?.status).toBe('working');
    gate.open();
    expect((await pollTask(client, taskId!)).status).toBe('completed');
  });
});

describe('the guards of the guide', () => {
  const headers = { authorization: 'Bearer sesame' };

  it('refuse a caller without a token at every method', async () => {
    const client = (await boot({ module: ArticlesModule })).client();
    expect((await client.listTools()).status).toBe(401);
    expect((await client.callTool('publish')).status).toBe(401);
  });

  it('let the owner of a role in, and deny others in-band', async () => {
    const client = (await boot({ module: ArticlesModule })).client({ headers });
    expect((await client.callTool('publish')).result?.content?.[0]?.text).toBe('Published by ali');
    expect(await client.callTool('removeAll')).toMatchObject({ status: 200, error: { code: 403, message: 'Forbidden' } });
  });
});

describe('the extension of the design pages', () => {
  it('adds a method, around which the interceptor stands too', async () => {
    const testing = await boot({ providers: [EchoMethods, TimingInterceptor] });
    const { result } = await testing.client().request('example.com/echo', { text: 'hello' });
    expect(result).toMatchObject({ text: 'hello' });
    expect([...testing.app.get(TimingInterceptor).timings.keys()]).toEqual(['example.com/echo']);
  });
});
