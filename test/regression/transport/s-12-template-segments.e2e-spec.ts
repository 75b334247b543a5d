import { McpArg, McpResourceTemplate } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { call } from './raw-client.js';

@Injectable()
class Files {
  @McpResourceTemplate({ uriTemplate: 'file:///{name}', description: 'A file' })
  file(@McpArg('name') name: string): string {
    return name;
  }

  @McpResourceTemplate({ uriTemplate: 'tree:///{+path}', description: 'A path' })
  tree(@McpArg('path') path: string): string {
    return path;
  }
}

describe('S-12: what is one segment in the URI is one segment for the handler', () => {
  let app: McpTestingApp;
  beforeAll(async () => {
    app = await createMcpTestingApp({ providers: [Files] });
  });
  afterAll(() => app.close());

  const read = async (uri: string): Promise<unknown> => {
    const { json } = await call(app.url, 'resources/read', { uri });
    return json.error?.code ?? json.result.contents[0].text;
  };

  it.each(['..%2F..%2Fetc', '..', '%2e%2e', 'a%2Fb', '..%5Cx'])('{name} refuses "%s"', async (name) => {
    expect(await read(`file:///${name}`)).toBe(-32602);
  });

  it('{name} takes a name, and {+path} takes a path', async () => {
    expect([await read('file:///a.txt'), await read('tree:///a/b')]).toEqual(['a.txt', 'a/b']);
  });
});
