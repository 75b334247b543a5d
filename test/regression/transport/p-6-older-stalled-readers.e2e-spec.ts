import net from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { deferred, type Deferred } from '../../support/flow.js';

/** More than the buffers of two sockets hold. */
const LARGE = 'x'.repeat(12_000_000);
const REPORTS = 1000;

let isFull: Deferred;
let isOver: Deferred;

@Injectable()
class Tools {
  @McpTool({ description: 'Reports far more than a reader takes' })
  async report(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.progress(1, undefined, LARGE);
    await isFull.promise;
    for (let progress = 2; progress <= REPORTS; progress++) ctx.progress(progress);
    isOver.resolve();
    return 'done';
  }
}

describe('P-6: an older client that stalls finds the latest progress before the result', () => {
  let testing: McpTestingApp;
  let response: ServerResponse | undefined;

  beforeAll(async () => {
    testing = await createMcpTestingApp({ providers: [Tools] });
    testing.app.getHttpServer().prependListener('request', (_request: IncomingMessage, answer: ServerResponse) => (response = answer));
  });
  beforeEach(() => {
    isFull = deferred();
    isOver = deferred();
  });
  afterAll(() => testing.close());

  it('and none of those that it was too slow for piles up', async () => {
    const socket = callReport();
    socket.pause();
    await until(() => response?.writableNeedDrain === true);
    const held = response!.writableLength;
    isFull.resolve();
    await isOver.promise;
    expect(response!.writableLength).toBeLessThanOrEqual(held + 1000);
    const text = await rest(socket);
    const seen = [...text.matchAll(/"progress":(\d+)/g)].map(([, value]) => Number(value));
    expect(seen).toEqual([1, REPORTS]);
    expect(text.indexOf(`"progress":${REPORTS}`)).toBeLessThan(text.indexOf('"done"'));
  }, 20_000);

  function callReport(): net.Socket {
    const { hostname, port, pathname } = new URL(testing.url);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'report', arguments: {}, _meta: { progressToken: 'p' } },
    });
    const socket = net.connect(Number(port), hostname);
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\n` +
        'accept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-11-25\r\nconnection: close\r\n' +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return socket;
  }
});

/** What comes up to the end of the reply, without the large word. */
async function rest(socket: net.Socket): Promise<string> {
  let text = '';
  socket
    .setEncoding('latin1')
    .on('data', (chunk: string) => (text += chunk))
    .resume();
  await until(() => text.endsWith('\r\n0\r\n\r\n'));
  socket.destroy();
  return text.replaceAll(LARGE, '');
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('not within 10 s');
    await new Promise((resolve) => void setImmediate(resolve));
  }
}
