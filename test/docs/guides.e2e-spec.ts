import { Module, type Type } from '@nestjs/common';
import { McpModule, type JsonObject } from '@mocapi/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { BadgeTools, BookingTools, CleaningTools, Hotel } from '../../docs/guides/code/asking-and-steps.js';
import { EchoMethods, TimingInterceptor } from '../../docs/guides/code/extension.js';
import { AppModule } from '../../docs/guides/code/getting-started/app.module.js';
import { ArticlesModule } from '../../docs/guides/code/guards-and-identity.js';
import { ColourTools, OrderTools, ReportTools, RoundingTools, SearchTools } from '../../docs/guides/code/tools.js';
import { post } from './mcp-post.js';

const opened: NestFastifyApplication[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

async function boot(module: Type): Promise<NestFastifyApplication> {
  const testing = await Test.createTestingModule({ imports: [module] }).compile();
  const app = testing.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
  opened.push(app);
  await app.listen(0, '127.0.0.1');
  return app;
}

class StubHotel extends Hotel {
  reservations = 0;

  async reserve() {
    this.reservations += 1;
    return { reservation: `R${this.reservations}`, price: 90 };
  }

  async release(): Promise<void> {}
}

async function bootWith(...providers: Type[]): Promise<{ app: NestFastifyApplication; hotel: StubHotel }> {
  const hotel = new StubHotel();
  @Module({
    imports: [McpModule.forRoot({ name: 'guide', version: '1.0.0' })],
    providers: [...providers, { provide: Hotel, useValue: hotel }],
  })
  class GuideModule {}
  return { app: await boot(GuideModule), hotel };
}

const call = (name: string, args: JsonObject): [string, JsonObject] => ['tools/call', { name, arguments: args }];
const forms = { capabilities: { elicitation: {} } };

describe('the app of "Getting started"', () => {
  it('boots, lists its tool and answers a call', async () => {
    const app = await boot(AppModule);
    const list = await post(app, ['tools/list', {}]);
    expect(list.result).toMatchObject({ tools: [{ name: 'forecast', inputSchema: { required: ['city'] } }] });
    const { status, result } = await post(app, call('forecast', { city: 'Graz' }));
    expect(status).toBe(200);
    expect(result).toMatchObject({ structuredContent: { city: 'Graz', unit: 'celsius', temperature: 21 } });
  });

  it('refuses arguments that do not fit, for the model to read', async () => {
    const { result } = await post(await boot(AppModule), call('forecast', { city: 'Graz', unit: 'kelvin' }));
    expect(result).toMatchObject({ isError: true });
  });
});

describe('the tools of the guide', () => {
  it('answer as the guide says', async () => {
    const { app } = await bootWith(OrderTools, SearchTools, ColourTools, RoundingTools, ReportTools);
    const place = await post(app, call('order.place', { lines: [{ article: 'A-17' }] }));
    expect(place.result).toMatchObject({ structuredContent: { lines: 1, first: 'A-17' } });
    const search = await post(app, call('search', { query: 'bees' }));
    expect(search.result).toMatchObject({ structuredContent: { titles: ['20 titles about bees'] } });
    const mix = await post(app, call('mix', { colours: ['#ff0000', '#0000ff'] }));
    expect(mix.result).toMatchObject({ content: [{ type: 'text', text: 'A mixture of #ff0000 and #0000ff' }] });
    const round = await post(app, call('round', { value: 2.75 }));
    expect(round.result).toMatchObject({ structuredContent: 3 });
    const chart = await post(app, call('chart', { title: ' ' }));
    expect(chart.result).toMatchObject({ isError: true, content: [{ text: 'A chart needs a title: ask the user for one' }] });
  });
});

describe('the questions of the guide', () => {
  it('run the step once, ask, and go on with the answer', async () => {
    const { app, hotel } = await bootWith(BookingTools);
    const first = await post(app, call('book', { city: 'Graz' }), forms);
    const { requestState, inputRequests } = first.result as { requestState: string; inputRequests: JsonObject };
    expect(Object.keys(inputRequests)).toEqual(['confirm']);
    const inputResponses = { confirm: { action: 'accept', content: { confirmed: true } } };
    const second = await post(app, ['tools/call', { name: 'book', arguments: { city: 'Graz' }, requestState, inputResponses }], forms);
    expect(second.result).toMatchObject({ structuredContent: { booked: true, reservation: 'R1' } });
    expect(hotel.reservations).toBe(1);
  });

  it('are asked together, and asked again only where an answer is missing', async () => {
    const { app } = await bootWith(BadgeTools);
    const first = await post(app, call('badge', {}), forms);
    expect(Object.keys(first.result!.inputRequests as JsonObject)).toEqual(['name', 'colour']);
    const inputResponses = { name: { action: 'accept', content: { name: 'Ida' } }, colour: { action: 'accept', content: { colour: 'pink' } } };
    const again = { name: 'badge', arguments: {}, requestState: first.result!.requestState!, inputResponses };
    const second = await post(app, ['tools/call', again], forms);
    expect(Object.keys(second.result!.inputRequests as JsonObject)).toEqual(['colour']);
  });

  it('are not asked of a client that cannot ask', async () => {
    const { app } = await bootWith(CleaningTools, BadgeTools);
    expect((await post(app, call('empty', {}))).result).toMatchObject({ content: [{ text: expect.stringMatching('cannot ask') }] });
    const { status, error } = await post(app, call('badge', {}));
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } });
    expect(status).toBe(400);
  });
});

describe('the guards of the guide', () => {
  const headers = { authorization: 'Bearer sesame' };

  it('refuse a caller without a token at every method', async () => {
    const app = await boot(ArticlesModule);
    expect((await post(app, ['tools/list', {}])).status).toBe(401);
    expect((await post(app, call('publish', {}))).status).toBe(401);
  });

  it('let the owner of a role in, and deny others in-band', async () => {
    const app = await boot(ArticlesModule);
    expect((await post(app, call('publish', {}), { headers })).result).toMatchObject({ content: [{ text: 'Published by ali' }] });
    const denied = await post(app, call('removeAll', {}), { headers });
    expect(denied).toMatchObject({ status: 200, error: { code: 403, message: 'Forbidden' } });
  });
});

describe('the extension of the design pages', () => {
  it('adds a method, around which the interceptor stands too', async () => {
    const { app } = await bootWith(EchoMethods, TimingInterceptor);
    const { result } = await post(app, ['example.com/echo', { text: 'hello' }]);
    expect(result).toMatchObject({ text: 'hello' });
    expect([...app.get(TimingInterceptor).timings.keys()]).toEqual(['example.com/echo']);
  });
});
