import { McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';

@Injectable()
class Tools {
  @McpTool({ description: 'Takes anything', inputSchema: { type: 'object' } as never })
  any(): string {
    return 'entered';
  }
}

const rows = (count: number) => ({ rows: Array.from({ length: count }, () => ({})) });

describe('S-2: a message of very many small objects is refused before it is parsed', () => {
  let testing: McpTestingApp;

  beforeAll(async () => {
    testing = await createMcpTestingApp({ providers: [Tools] });
  }, 60_000);
  afterAll(() => testing.close());

  test('260,000 empty objects, far below the 4 MiB of a body', async () => {
    const { error } = await testing.client().callTool('any', rows(260_000));
    expect(error).toMatchObject({ code: -32600, message: expect.stringMatching(/more than 250000 objects/) });
  }, 60_000);

  test('100,000 objects are taken', async () => {
    expect((await testing.client().callTool('any', rows(100_000))).result?.content).toMatchObject([{ text: 'entered' }]);
  }, 60_000);

  test('more or fewer where the application says so', async () => {
    const options = { limits: { maxJsonObjects: 20 } as object };
    const strict = await createMcpTestingApp({ providers: [Tools], options });
    try {
      const { error } = await strict.client().callTool('any', rows(20));
      expect(error).toMatchObject({ code: -32600, message: expect.stringMatching(/more than 20 objects/) });
      expect((await strict.client().callTool('any', rows(5))).result?.content).toMatchObject([{ text: 'entered' }]);
    } finally {
      await strict.close();
    }
  });
});
