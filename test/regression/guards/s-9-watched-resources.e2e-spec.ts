import { McpArg, McpNotifier, McpResource, McpResourceTemplate, type McpVisibility } from '@mocapi/core';
import { createMcpTestingApp, type McpListenStream, type McpTestingApp } from '@mocapi/testing';
import { Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { call } from './wire.js';

type Headers = Record<string, string | undefined>;
const userOf = (context: ExecutionContext) => context.switchToHttp().getRequest<{ headers: Headers }>().headers['x-user'];

let asked = 0;
let entered = 0;

@Injectable()
class OnlyAli implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    asked++;
    return userOf(context) === 'ali';
  }
}

class Hiding implements CanActivate, McpVisibility {
  canActivate = () => false;
  canSee = () => false;
}

const failing: CanActivate = {
  canActivate() {
    throw new Error('no database');
  },
};

@Injectable()
class ByMethod {
  @McpResource({ uri: 'secret:method' })
  @UseGuards(OnlyAli)
  fixed(): string {
    return 'x';
  }

  @McpResourceTemplate({ uriTemplate: 'method://{x}' })
  @UseGuards(OnlyAli)
  template(@McpArg('x') x: string): string {
    return x;
  }

  @McpResource({ uri: 'secret:failing' })
  @UseGuards(failing)
  broken(): string {
    return 'x';
  }

  @McpResource({ uri: 'secret:hidden' })
  @UseGuards(new Hiding())
  hidden(): string {
    return 'x';
  }

  @McpResource({ uri: 'open:fixed' })
  open(): string {
    return 'x';
  }
}

@Injectable()
@UseGuards(OnlyAli)
class ByClass {
  @McpResource({ uri: 'secret:class' })
  fixed(): string {
    return 'x';
  }

  @McpResourceTemplate({ uriTemplate: 'class://in/{x}' })
  template(@McpArg('x') x: string): string {
    return x;
  }
}

const REFUSED = ['secret:method', 'method://a', 'secret:class', 'class://in/a'];
const OPEN = ['open:fixed', 'nobody:serves'];

describe('S-9: whoever may not read a resource does not hear that it has changed', () => {
  let testing: McpTestingApp;
  const streams: McpListenStream[] = [];
  beforeAll(async () => {
    testing = await createMcpTestingApp({
      providers: [ByMethod, ByClass],
      configure: (app) => app.useGlobalGuards({ canActivate: () => ++entered > 0 }),
    });
  });
  afterAll(() => testing.close());
  afterEach(() => streams.splice(0).forEach((stream) => stream.close()));

  const listen = async (user: string, notifications: object) => {
    const stream = await testing.client({ headers: { 'x-user': user } }).listen(notifications);
    streams.push(stream);
    const acknowledged = await stream.next();
    return { stream, honoured: (acknowledged.params as { notifications: unknown }).notifications };
  };
  const changed = (uri: string) => testing.app.get(McpNotifier).resourceUpdated(uri);
  const heard = async (stream: McpListenStream) => ((await stream.next()).params as { uri: string }).uri;

  it.each(REFUSED)('refuses the reading of %s', async (uri) => {
    const { message } = await call({ url: testing.url, headers: { 'x-user': 'eve' } }, 'resources/read', { uri });
    expect(message.error.code).toBe(403);
  });

  it('leaves a URI that may not be read out of the acknowledgement, and stays silent about it', async () => {
    const { stream, honoured } = await listen('eve', { resourceSubscriptions: [...REFUSED, 'secret:failing', ...OPEN] });
    expect(honoured).toEqual({ resourceSubscriptions: OPEN });
    for (const uri of [...REFUSED, ...OPEN]) changed(uri);
    expect([await heard(stream), await heard(stream)].toSorted()).toEqual([...OPEN].toSorted());
  });

  it('tells it to whoever may read it', async () => {
    const { stream, honoured } = await listen('ali', { resourceSubscriptions: REFUSED });
    expect(honoured).toEqual({ resourceSubscriptions: REFUSED });
    for (const uri of REFUSED) changed(uri);
    const uris = [await heard(stream), await heard(stream), await heard(stream), await heard(stream)];
    expect(uris.toSorted()).toEqual([...REFUSED].toSorted());
  });

  it('asks the guards for what lies in a watched URI, once', async () => {
    asked = 0;
    const eve = await listen('eve', { resourceSubscriptions: ['class://in', 'open:fixed'] });
    const ali = await listen('ali', { resourceSubscriptions: ['class://in'] });
    expect(asked).toBe(0);
    for (let time = 0; time < 2; time++) {
      changed('class://in/b');
      expect(await heard(ali.stream)).toBe('class://in/b');
    }
    changed('open:fixed');
    expect(await heard(eve.stream)).toBe('open:fixed');
    expect(asked).toBe(2);
  });

  it('still acknowledges what is hidden like what does not exist, and is silent about it', async () => {
    const { stream, honoured } = await listen('ali', { resourceSubscriptions: ['secret:hidden', 'open:fixed'] });
    expect(honoured).toEqual({ resourceSubscriptions: ['secret:hidden', 'open:fixed'] });
    changed('secret:hidden');
    changed('open:fixed');
    expect(await heard(stream)).toBe('open:fixed');
  });

  it('keeps the other topics of the stream, and asks the global guards once', async () => {
    entered = 0;
    const { honoured } = await listen('eve', { resourceSubscriptions: ['secret:method'], toolsListChanged: true });
    expect(honoured).toEqual({ toolsListChanged: true, resourceSubscriptions: [] });
    expect(entered).toBe(1);
  });
});
