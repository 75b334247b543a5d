import { McpTool } from '@mocapi/core';
import { McpTasksModule } from '@mocapi/tasks';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { ForbiddenException, Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import { Handlers, REQUESTS, send } from './guarded-app.js';
import { startRealApps, type RealApps } from './real-apps.js';
import { call } from './wire.js';

const KINDS = Object.keys(REQUESTS).map((kind) => [kind] as const);

describe('S-5: nothing is answered before the caller was asked who he is', () => {
  let real: RealApps;
  beforeAll(async () => (real = await startRealApps()), 60_000);
  afterAll(() => real.stop());

  describe('with an unmodified nest-keycloak-connect as APP_GUARD', () => {
    let known: object;
    beforeAll(async () => (known = (await send(real.keycloak, 'a tool that exists')).message as object));

    it.each(KINDS)('answers %s with the same 401', async (kind) => {
      const { status, message } = await send(real.keycloak, kind);
      expect(status).toBe(401);
      expect(message.error.code).toBe(401);
      expect({ ...message, id: undefined }).toEqual({ ...known, id: undefined });
    });
  });

  describe('with a guard that lets everybody in', () => {
    let testing: McpTestingApp;
    let asked = 0;
    const counting: CanActivate = { canActivate: () => ++asked > 0 };
    beforeAll(async () => {
      const configure: Parameters<typeof createMcpTestingApp>[0]['configure'] = (app) => app.useGlobalGuards(counting);
      testing = await createMcpTestingApp({ imports: [McpTasksModule.forRoot()], providers: [Handlers], configure });
    });
    afterAll(() => testing.close());

    it.each(KINDS)('asks for %s exactly once', async (kind) => {
      asked = 0;
      const { status } = await send(testing.url, kind);
      expect(status).not.toBe(401);
      expect(asked).toBe(1);
    });

    it('asks once for each member of a batch', async () => {
      asked = 0;
      const body = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: id === 3 ? 'ping' : 'tools/list', params: {} }));
      const response = await fetch(testing.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-03-26',
        },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(200);
      expect(asked).toBe(3);
    });
  });

  it('counts every unknown tool for a throttler as APP_GUARD', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 12; index++) statuses.push((await send(real.throttled, 'an unknown tool')).status);
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(200));
    expect(statuses.slice(5)).toEqual(Array(7).fill(429));
  });

  it('asks the guards of the class and the method before it says what is wrong with a call', async () => {
    const never: CanActivate = {
      canActivate() {
        throw new ForbiddenException();
      },
    };
    @Injectable()
    @UseGuards(never)
    class Closed {
      @McpTool({ description: 'x' })
      closed(): string {
        return 'entered';
      }
    }
    const testing = await createMcpTestingApp({ providers: [Closed] });
    const malformed = await call(testing, 'tools/call', { name: 'closed', arguments: [] });
    const denied = await call(testing, 'tools/call', { name: 'closed', arguments: {} });
    expect(denied.message.error.code).toBe(403);
    expect(malformed.message).toEqual(denied.message);
    await testing.close();
  });
});
