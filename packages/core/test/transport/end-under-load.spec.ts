import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { McpModule, McpTool } from '@mocapi/core';
import { Injectable, Module, type BeforeApplicationShutdown, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { deferred, until } from '../../../../test/support/flow.js';
import { call, send, type Outgoing, type Reply } from './http-harness.js';

const CLIENTS = 40;

const held = { entered: deferred(), release: deferred() };

@Injectable()
class Tools {
  /** A call that is at work when the end comes, as most are. */
  @McpTool({ description: 'Takes a moment.' })
  async moment(): Promise<string> {
    await setTimeout(5);
    return 'done';
  }

  @McpTool({ description: 'Waits.' })
  async wait(): Promise<string> {
    held.entered.resolve();
    await held.release.promise;
    return 'waited';
  }
}

/** Another part of the app that takes its time to end. */
class Slow implements BeforeApplicationShutdown {
  readonly entered = deferred();
  readonly release = deferred();

  beforeApplicationShutdown(): Promise<void> {
    this.entered.resolve();
    return this.release.promise;
  }
}

async function startApp(...providers: Provider[]): Promise<{ app: NestFastifyApplication; port: number }> {
  @Module({ imports: [McpModule.forRoot({ name: 'ending', version: '1' })], providers: [Tools, ...providers] })
  class AppModule {}
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: false });
  await app.listen(0, '127.0.0.1');
  return { app, port: (app.getHttpServer().address() as AddressInfo).port };
}

/** What the clients have seen. */
class Tally {
  inFlight = 0;
  answered = 0;
  readonly refusals: Reply[] = [];
  notConnected = 0;
  readonly cut: string[] = [];
}

/** Calls without a pause, waits as a 503 says, and ends when nobody listens any more. */
async function hammer(port: number, tally: Tally, agent?: http.Agent): Promise<void> {
  for (;;) {
    tally.inFlight += 1;
    const outcome = await send(port, { ...callOf('moment'), ...(agent && { agent }) }).catch(({ code }: NodeJS.ErrnoException) =>
      String(code),
    );
    tally.inFlight -= 1;
    if (outcome === 'ECONNREFUSED') return void (tally.notConnected += 1);
    if (typeof outcome === 'string') return void tally.cut.push(outcome);
    if (outcome.status === 200) tally.answered += 1;
    else {
      tally.refusals.push(outcome);
      await setTimeout(1_000 * Number(outcome.headers['retry-after'] ?? 0));
    }
  }
}

const ENVELOPE = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

function callOf(name: string): Outgoing {
  return {
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
    body: call(1, 'tools/call', { name, arguments: {}, _meta: ENVELOPE }),
  };
}

const SHUTTING_DOWN = { jsonrpc: '2.0', error: { code: -32603, message: 'Server is shutting down' } };

describe('an app that ends under load', () => {
  it.each([
    ['new connections', false],
    ['connections that are kept', true],
  ])(
    'answers every request of clients on %s, or refuses them the connection',
    async (_which, keepAlive) => {
      const { app, port } = await startApp();
      const tally = new Tally();
      const agents = Array.from({ length: CLIENTS }, () => (keepAlive ? new http.Agent({ keepAlive, maxSockets: 1 }) : undefined));
      const clients = agents.map((agent) => hammer(port, tally, agent));
      await until(() => tally.answered > 3 * CLIENTS, 'every client has been answered often');

      const atTheEnd = { inFlight: tally.inFlight, answered: tally.answered };
      await app.close();
      await Promise.all(clients);
      for (const agent of agents) agent?.destroy();

      expect(atTheEnd.inFlight).toBe(CLIENTS);
      expect(tally.cut).toEqual([]);
      expect(tally.answered).toBeGreaterThan(atTheEnd.answered);
      expect(tally.refusals.length).toBeGreaterThan(CLIENTS / 2);
      expect(tally.refusals[0]!.json).toEqual(SHUTTING_DOWN);
      for (const { status, headers } of tally.refusals) {
        expect({ status, ...headers }).toMatchObject({ status: 503, 'retry-after': '1', connection: 'close' });
      }
      expect(tally.notConnected).toBe(CLIENTS);
    },
    20_000,
  );
});

describe('an app that ends, another part of which takes its time', () => {
  it('takes no new requests meanwhile, and lets those in flight end', async () => {
    const slow = new Slow();
    const { app, port } = await startApp({ provide: Slow, useValue: slow });
    const waiting = send(port, callOf('wait'));
    await held.entered.promise;
    const closing = app.close();
    await slow.entered.promise;

    const refused = await send(port, callOf('moment'));
    expect({ status: refused.status, json: refused.json }).toEqual({ status: 503, json: SHUTTING_DOWN });
    held.release.resolve();
    expect((await waiting).json).toMatchObject({ id: 1, result: { content: [{ text: 'waited' }] } });

    slow.release.resolve();
    await closing;
  });
});
