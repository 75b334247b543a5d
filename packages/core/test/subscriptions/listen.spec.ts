import { watchedBy } from '../../src/subscriptions/resource-updates.topic.js';
import { McpResource, type McpVisibility } from '@mocapi/core';
import { McpSeam, type HonouredTopic, type SubscriptionContributor, type SubscriptionSink } from '@mocapi/core/extension';
import { createMcpTestingApp } from '@mocapi/testing';
import { Injectable, UnauthorizedException, UseGuards, type CanActivate } from '@nestjs/common';
import { turns, until } from '../../../../test/support/flow.js';
import { startListeningApp, type ListeningApp } from './listening-app.js';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

let app: ListeningApp;
afterEach(() => app.close());

describe('the acknowledgement', () => {
  beforeEach(async () => void (app = await startListeningApp()));

  it.each([
    ['a number', 7],
    ['a string', '7'],
    ['a string that looks like nothing', ''],
  ])('comes first, on an event stream, tagged with the id of the request: %s', async (_what, id) => {
    const stream = await app.client().listen({ toolsListChanged: true }, { id });
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(await stream.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { [SUBSCRIPTION_ID]: id } },
    });
    await stream.close();
  });

  it('tells what is honoured: what is not asked for, asked for with false, or not known is left out', async () => {
    const stream = await app.client().listen({ toolsListChanged: true, promptsListChanged: false, phaseOfTheMoon: true });
    expect(await stream.acknowledged()).toEqual({ toolsListChanged: true });
    await stream.close();
  });

  it('is empty for an empty filter', async () => {
    const stream = await app.client().listen({});
    expect(await stream.acknowledged()).toEqual({});
    await stream.close();
  });

  it('leaves out URIs that can be none, the same URI said twice, and those beyond the limit', async () => {
    await app.close();
    app = await startListeningApp({ limits: { maxWatched: 2 } });
    const stream = await app
      .client()
      .listen({ resourceSubscriptions: ['a:1', 'no uri', 'a: 1', 'a:\n1', 'a:1', '', `a:${'x'.repeat(3000)}`, 'a:2', 'a:3'] });
    expect(await stream.acknowledged()).toEqual({ resourceSubscriptions: ['a:1', 'a:2'] });
    await stream.close();
  });

  it.each([
    ['nothing', [], {}],
    ['prompts', ['prompts'], { promptsListChanged: true }],
    ['resources', ['resources'], { resourcesListChanged: true, resourceSubscriptions: ['a:1'] }],
  ] as const)('leaves out what the server does not advertise: beside tools it has %s', async (_what, advertise, honoured) => {
    await app.close();
    app = await startListeningApp({ advertise });
    const stream = await app.client().listen({ ...ALL, resourceSubscriptions: ['a:1'] });
    expect(await stream.acknowledged()).toEqual({ toolsListChanged: true, ...honoured });
    await stream.close();
  });
});

describe('a filter that is missing or malformed', () => {
  beforeEach(async () => void (app = await startListeningApp()));

  it.each<[string, unknown]>([
    ['none', undefined],
    ['null', null],
    ['an array', []],
    ['a text', 'toolsListChanged'],
    ['a flag that is none', { toolsListChanged: 'yes' }],
    ['a flag that is null', { promptsListChanged: null }],
    ['URIs that are no list', { resourceSubscriptions: 'a:1' }],
    ['URIs that are no texts', { resourceSubscriptions: ['a:1', 2] }],
  ])('is refused with -32602, opens no stream and takes no place: %s', async (_what, filter) => {
    const stream = await app.client().listen(filter);
    await stream.ended;
    expect([stream.status, stream.headers['content-type'], stream.error?.code]).toEqual([200, 'application/json; charset=utf-8', -32602]);
    expect(stream.messages).toEqual([]);
  });
});

describe('notifications', () => {
  beforeEach(async () => void (app = await startListeningApp()));

  it.each([
    ['toolsListChanged', 'notifications/tools/list_changed', () => app.notifier.toolsChanged()],
    ['promptsListChanged', 'notifications/prompts/list_changed', () => app.notifier.promptsChanged()],
    ['resourcesListChanged', 'notifications/resources/list_changed', () => app.notifier.resourcesChanged()],
  ] as const)('of %s come tagged, and to nobody who did not ask', async (key, method, change) => {
    const { [key]: _asked, ...others } = ALL;
    const [asking, other] = await Promise.all([app.listen({ [key]: true }), app.listen(others)]);
    change();
    expect(await asking.next()).toEqual({ jsonrpc: '2.0', method, params: { _meta: { [SUBSCRIPTION_ID]: asking.id } } });
    app.notifier.toolsChanged();
    app.notifier.promptsChanged();
    expect((await other.next()).method).not.toBe(method);
    expect(other.messages.map((message) => message.method)).not.toContain(method);
    await Promise.all([asking.close(), other.close()]);
  });

  it('of a resource come for the watched URI and what lies in it, with the URI that changed', async () => {
    const stream = await app.listen({ resourceSubscriptions: ['file:///a', 'file:///dir/'] });
    for (const uri of ['file:///ab', 'file:///', 'file:///a', 'file:///a/b/c', 'file:///a#part', 'file:///dir/x', 'file:///dirt']) {
      app.notifier.resourceUpdated(uri);
      await new Promise((resolve) => setImmediate(resolve));
    }
    app.notifier.resourceUpdated('file:///a/last');
    await until(() => stream.messages.some(({ params }) => params?.uri === 'file:///a/last'), 'the last update came');
    const updates = stream.messages.slice(1);
    expect(updates.map(({ params }) => params?.uri)).toEqual([
      'file:///a',
      'file:///a/b/c',
      'file:///a#part',
      'file:///dir/x',
      'file:///a/last',
    ]);
    expect(new Set(updates.map(({ method }) => method))).toEqual(new Set(['notifications/resources/updated']));
    await stream.close();
  });

  it('of a URI of any length cost no more than what is watched', () => {
    const watched = new Set(['o:x', 'o:a/', ...Array.from({ length: 998 }, (_, index) => `o:a/${'/'.repeat(index)}`)]);
    const started = performance.now();
    for (const uri of ['/'.repeat(1e6), `o:b${'/'.repeat(1e6)}`, `o:b${'#/'.repeat(5e5)}`]) expect(watchedBy(uri, watched)).toBeUndefined();
    expect(watchedBy(`o:x${'/'.repeat(1e6)}`, watched)).toBe('o:x');
    expect(watchedBy(`o:a${'/'.repeat(1e6)}`, watched)).toBe(`o:a/${'/'.repeat(997)}`);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('are said once for all that changes within one turn', async () => {
    const stream = await app.listen(ALL);
    for (let index = 0; index < 100; index++) app.notifier.toolsChanged();
    app.notifier.promptsChanged();
    expect((await stream.next()).method).toBe('notifications/tools/list_changed');
    expect((await stream.next()).method).toBe('notifications/prompts/list_changed');
    await stream.close();
  });

  it('of several streams of one client each carry their own id', async () => {
    const client = app.client();
    const streams = await Promise.all([
      client.listen({ toolsListChanged: true }, { id: 1 }),
      client.listen({ toolsListChanged: true }, { id: '1' }),
    ]);
    for (const stream of streams) await stream.acknowledged();
    app.notifier.toolsChanged();
    for (const stream of streams) expect((await stream.next()).params?._meta).toEqual({ [SUBSCRIPTION_ID]: stream.id });
    await Promise.all(streams.map((stream) => stream.close()));
  });
});

/** A topic that decides when it is told, and shows what it was told. */
@Injectable()
@McpSeam('subscription-contributor')
class Weather implements SubscriptionContributor<string> {
  readonly filterKey: string = 'weather';
  readonly requiredExtension: string = 'example.com/weather';
  sink: SubscriptionSink | undefined;
  stopped = 0;
  decide: () => Promise<void> = async () => undefined;

  parse(value: unknown): string {
    return String(value);
  }

  async honour(place: string): Promise<HonouredTopic | undefined> {
    await this.decide();
    if (place === 'nowhere') return undefined;
    return {
      honoured: [place],
      start: (sink) => {
        this.sink = sink;
        sink.emit('now', () => ({ method: 'notifications/weather', params: { place, _meta: { own: true } } }));
        return () => void (this.stopped += 1);
      },
    };
  }
}

describe('a topic that an extension adds', () => {
  let weather: Weather;
  const declared = { capabilities: { extensions: { 'example.com/weather': {} } } } as const;

  beforeEach(async () => {
    app = await startListeningApp({ providers: [Weather] });
    weather = app.testing.app.get(Weather);
  });

  it('is acknowledged before it says a word, and its words are tagged', async () => {
    const stream = await app.client().listen({ weather: 'here' }, declared);
    expect(await stream.acknowledged()).toEqual({ weather: ['here'] });
    expect((await stream.next()).params).toEqual({ place: 'here', _meta: { own: true, [SUBSCRIPTION_ID]: stream.id } });
    await stream.close();
  });

  it('comes after the acknowledgement even when everything changes while it is being decided', async () => {
    let decided!: () => void;
    weather.decide = () => new Promise((resolve) => (decided = resolve));
    const opening = app.client().listen({ ...ALL, weather: 'here' }, declared);
    await until(() => decided !== undefined, 'the topic was asked');
    app.notifier.toolsChanged();
    decided();
    const stream = await opening;
    expect(await stream.acknowledged()).toEqual({ ...ALL, weather: ['here'] });
    await stream.close();
  });

  it('is left out of the acknowledgement when it does not honour the wish', async () => {
    const stream = await app.client().listen({ weather: 'nowhere' }, declared);
    expect(await stream.acknowledged()).toEqual({});
    await stream.close();
  });

  it.each([
    ['a wish', { weather: 'here' }],
    ['an empty one', { weather: null }],
    ['one beside a malformed filter', { toolsListChanged: 'yes', weather: 'here' }],
  ])('needs its extension, or the answer is -32021 with status 400: %s', async (_what, filter) => {
    const stream = await app.client().listen(filter);
    await stream.ended;
    expect([stream.status, stream.error]).toEqual([
      400,
      expect.objectContaining({ code: -32021, data: { requiredCapabilities: { extensions: { 'example.com/weather': {} } } } }),
    ]);
  });

  it('is told when the client has left, and what it still says goes nowhere', async () => {
    const stream = await app.client().listen({ weather: 'here' }, declared);
    await stream.acknowledged();
    await stream.close();
    await until(() => weather.stopped === 1, 'the topic was stopped');
    weather.sink!.emit('now', () => {
      throw new Error('asked to render for nobody');
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(app.testing.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('is never begun for a client that left while it was being decided', async () => {
    let decided!: () => void;
    weather.decide = () => new Promise((resolve) => (decided = resolve));
    const gone = new AbortController();
    const opening = app.client().listen({ weather: 'here' }, { ...declared, signal: gone.signal });
    await until(() => decided !== undefined, 'the topic was asked');
    gone.abort();
    await expect(opening).rejects.toThrow(/abort/);
    await until(() => app.responses[0]!.destroyed, 'the server saw the client leave');
    decided();
    await turns();
    expect([weather.sink, weather.stopped]).toEqual([undefined, 0]);
  });

  it('that throws when asked what to say loses that word alone, which is logged', async () => {
    const stream = await app.client().listen({ toolsListChanged: true, weather: 'here' }, declared);
    await stream.acknowledged();
    await stream.next();
    weather.sink!.emit('now', () => {
      throw new Error('no barometer');
    });
    app.notifier.toolsChanged();
    expect((await stream.next()).method).toBe('notifications/tools/list_changed');
    expect(app.testing.logs.filter(({ level }) => level === 'error').map(({ details }) => details)).toEqual([
      expect.stringContaining('no barometer'),
    ]);
    await stream.close();
  });

  it('may not take a key that exists', async () => {
    @Injectable()
    @McpSeam('subscription-contributor')
    class Storms extends Weather {}

    @Injectable()
    @McpSeam('subscription-contributor')
    class Hammers extends Weather {
      override readonly filterKey = 'toolsListChanged';
    }
    const boot = createMcpTestingApp({ providers: [Weather, Storms, Hammers] });
    await expect(boot).rejects.toThrow(/Storms: adds the subscription "weather", which Weather already answers/);
    await expect(boot).rejects.toThrow(/Hammers: adds the subscription "toolsListChanged", which the core already answers/);
  });
});

/** Lets alice alone see the method it stands on. */
const forAlice: CanActivate & McpVisibility = {
  canActivate: () => true,
  canSee: ({ principal }) => principal?.id === 'alice',
};

@Injectable()
class Secrets {
  @McpResource({ uri: 'app://secret' })
  @UseGuards(forAlice)
  secret(): string {
    return 'x';
  }
}

describe('a resource that is hidden from a caller', () => {
  it('is acknowledged like one that does not exist, and as silent; whoever sees it hears of it', async () => {
    app = await startListeningApp({ providers: [Secrets] });
    const watches = { resourceSubscriptions: ['app://secret', 'app://none'] };
    const [alice, bob] = await Promise.all([app.listen(watches, 'alice'), app.client('bob').listen(watches)]);
    expect(await bob.acknowledged()).toEqual(watches);
    app.notifier.resourceUpdated('app://secret');
    app.notifier.resourceUpdated('app://none');
    expect((await alice.next()).params?.uri).toBe('app://secret');
    expect((await bob.next()).params?.uri).toBe('app://none');
    await Promise.all([alice.close(), bob.close()]);
  });
});

describe('who may listen', () => {
  it('is decided by the guards of the endpoint, before the filter is looked at', async () => {
    app = await startListeningApp({
      configure: (nest) =>
        nest.useGlobalGuards({
          canActivate: () => {
            throw new UnauthorizedException();
          },
        }),
    });
    const stream = await app.client().listen('no filter');
    await stream.ended;
    expect([stream.status, stream.error?.message]).toEqual([401, 'Unauthorized']);
  });
});
