import { embeddedResource, image, McpPrompt, McpResource, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';

const BYTES = Buffer.from('bytes');
const BASE64 = BYTES.toString('base64');
const arrayBuffer = (): ArrayBuffer => new Uint8Array(BYTES).buffer;

@Injectable()
class Handlers {
  @McpTool({ description: 'x' })
  whole(): unknown {
    return BYTES;
  }

  @McpTool({ description: 'x' })
  member(): unknown {
    return { file: { data: BYTES } };
  }

  @McpTool({ description: 'x', outputSchema: z.object({ data: z.any() }) })
  structured(): unknown {
    return { data: BYTES };
  }

  @McpTool({ description: 'x' })
  block(): unknown {
    return { type: 'image', data: BYTES, mimeType: 'image/png' };
  }

  @McpTool({ description: 'x' })
  built(): unknown {
    return [image(arrayBuffer(), 'image/png'), embeddedResource('docs://a', arrayBuffer())];
  }

  @McpPrompt({ description: 'x' })
  prompt(): unknown {
    return { role: 'user', content: { type: 'image', data: BYTES, mimeType: 'image/png' } };
  }

  @McpResource({ uri: 'docs://buffer' })
  buffer(): unknown {
    return BYTES;
  }

  @McpResource({ uri: 'docs://array-buffer' })
  arrayBuffer(): unknown {
    return { blob: arrayBuffer() };
  }

  @McpResource({ uri: 'docs://member' })
  inside(): unknown {
    return { data: BYTES };
  }
}

describe('A-14: bytes go out as base64, or are refused with what to write; never as an array of numbers', () => {
  let testing: McpTestingApp;
  beforeAll(async () => {
    testing = await createMcpTestingApp({ providers: [Handlers] });
  });
  afterAll(() => testing.close());

  const logged = (): string => testing.logs.map(({ message, details }) => `${message} ${details ?? ''}`).join('\n');

  it.each(['whole', 'member', 'structured', 'block'])('the tool "%s"', async (name) => {
    const { raw, result } = await testing.client().callTool(name);
    expect(raw).not.toMatch(/"Buffer"|\[98,121/);
    expect(result).toMatchObject({ isError: true });
    expect(logged()).toMatch(new RegExp(`result of ${name}.*Buffer.*base64.*image\\(\\)`));
  });

  it('a prompt', async () => {
    const { error } = await testing.client().request('prompts/get', { name: 'prompt' });
    expect(error).toMatchObject({ code: -32603 });
    expect(logged()).toMatch(/the result of prompt.content.data: it is an instance of Buffer.*base64/);
  });

  it('JSON data of a resource', async () => {
    const { error } = await testing.client().request('resources/read', { uri: 'docs://member' });
    expect(error).toMatchObject({ code: -32603 });
    expect(logged()).toMatch(/the result of inside.data: it is an instance of Buffer.*base64/);
  });

  it.each(['docs://buffer', 'docs://array-buffer'])('%s is a blob', async (uri) => {
    const { result } = await testing.client().request('resources/read', { uri });
    expect(result).toMatchObject({ contents: [{ uri, blob: BASE64 }] });
  });

  it('the builders take what fetch() gives', async () => {
    const { result } = await testing.client().callTool('built');
    expect(result).toMatchObject({ content: [{ data: BASE64 }, { resource: { blob: BASE64 } }] });
  });
});
