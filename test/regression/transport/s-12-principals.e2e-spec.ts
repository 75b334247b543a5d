import { McpPrincipalSource, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { headersOf, request, send, type RawReply } from './raw-client.js';

const ANSWERS: Record<string, unknown> = {
  'empty text': '',
  zero: 0,
  false: false,
  null: null,
  NaN: Number.NaN,
  text: 'ali',
  'no id': {},
  'empty id': { id: '' },
  'id that is a number': { id: 7 },
};

@Injectable()
class Whatever extends McpPrincipalSource {
  resolve(req: object): never {
    return ANSWERS[(req as { headers: Record<string, string> }).headers['x-answer'] ?? ''] as never;
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'Open' })
  open(): string {
    return 'in';
  }
}

describe('S-12: only undefined is an anonymous caller', () => {
  let app: McpTestingApp;
  beforeAll(async () => {
    app = await createMcpTestingApp({
      providers: [Tools],
      options: { providers: [{ provide: McpPrincipalSource, useClass: Whatever }] },
    });
  });
  afterAll(() => app.close());

  const asked = (answer: string, method: string, name?: string): Promise<RawReply> =>
    send(app.url, {
      headers: { ...headersOf(method, name), 'x-answer': answer },
      body: request(method, name === undefined ? {} : { name }),
    });

  it.each(Object.keys(ANSWERS))('%s is a fault of the source, and nothing runs', async (answer) => {
    const replies = [await asked(answer, 'tools/call', 'open'), await asked(answer, 'tools/list')];
    const seen = replies.map(({ json }) => json.error?.code as number);
    expect(seen).toEqual([403, 403]);
    expect(JSON.stringify(app.logs).includes('McpPrincipalSource must return undefined')).toBe(true);
  });

  it('undefined is let in', async () => {
    expect((await asked('nothing', 'tools/call', 'open')).json.result.content[0].text).toBe('in');
  });
});
