import { audio, embeddedResource, image, McpTool, resourceLink, text, type ContentBlock } from '@mocapi/core';
import { specTypeSchemas } from '@modelcontextprotocol/server';
import { createMcpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';

const ANNOTATIONS = { audience: ['user' as const], priority: 0.5 };
const BYTES = new Uint8Array([0, 1, 254, 255]);

describe('a builder', () => {
  it.each<[string, ContentBlock, object]>([
    ['text', text('hello'), { type: 'text', text: 'hello' }],
    ['image', image(BYTES, 'image/png'), { type: 'image', data: 'AAH+/w==', mimeType: 'image/png' }],
    ['image of base64', image('AAH+/w==', 'image/svg+xml'), { type: 'image', data: 'AAH+/w==', mimeType: 'image/svg+xml' }],
    ['audio', audio(Buffer.from(BYTES), 'audio/wav'), { type: 'audio', data: 'AAH+/w==', mimeType: 'audio/wav' }],
    ['audio with parameters', audio('', 'audio/ogg; codecs="opus"'), { type: 'audio', data: '', mimeType: 'audio/ogg; codecs="opus"' }],
    ['link', resourceLink({ uri: 'file:///a', name: 'a' }), { type: 'resource_link', uri: 'file:///a', name: 'a' }],
    [
      'whole link',
      resourceLink({ uri: 'x://a', name: 'a', title: 'A', description: 'an a', mimeType: 'text/plain', size: 3, annotations: ANNOTATIONS }),
      {
        type: 'resource_link',
        uri: 'x://a',
        name: 'a',
        title: 'A',
        description: 'an a',
        mimeType: 'text/plain',
        size: 3,
        annotations: ANNOTATIONS,
      },
    ],
    ['resource of text', embeddedResource('x://a', 'hello'), { type: 'resource', resource: { uri: 'x://a', text: 'hello' } }],
    [
      'resource of bytes',
      embeddedResource('x://a', BYTES, { mimeType: 'application/pdf' }),
      { type: 'resource', resource: { uri: 'x://a', mimeType: 'application/pdf', blob: 'AAH+/w==' } },
    ],
  ])('makes a block that the protocol has: %s', (_kind, block, expected) => {
    expect(block).toEqual(expected);
    expect(specTypeSchemas.ContentBlock['~standard'].validate(block)).not.toHaveProperty('issues');
  });

  it.each<[string, ContentBlock]>([
    ['text', text('x', { annotations: ANNOTATIONS, _meta: { a: 1 } })],
    ['image', image('', 'image/png', { annotations: ANNOTATIONS, _meta: { a: 1 } })],
    ['audio', audio('', 'audio/wav', { annotations: ANNOTATIONS, _meta: { a: 1 } })],
    ['resource', embeddedResource('x://a', 'x', { annotations: ANNOTATIONS, _meta: { a: 1 } })],
    ['link', resourceLink({ uri: 'x://a', name: 'a', annotations: ANNOTATIONS, _meta: { a: 1 } })],
  ])('takes annotations and _meta, and leaves out what is undefined: %s', (_kind, block) => {
    expect(block).toMatchObject({ annotations: ANNOTATIONS, _meta: { a: 1 } });
    expect(text('x', { annotations: undefined })).toStrictEqual({ type: 'text', text: 'x' });
  });

  it('takes the part of a buffer that a view shows, not the whole', () => {
    expect(image(new Uint8Array(BYTES.buffer, 2, 2), 'image/png').data).toBe('/v8=');
  });

  it.each<[string, () => unknown, RegExp]>([
    ['an image that is a sound', () => image('', 'audio/wav'), /"audio\/wav" is not a MIME type of the kind image/],
    ['a sound that is an image', () => audio('', 'image/png'), /of the kind audio/],
    ['a type without a subtype', () => image('', 'image'), /not a MIME type/],
    ['an empty type', () => image('', ''), /not a MIME type/],
    ['a type with a line break', () => embeddedResource('x://a', '', { mimeType: 'text/plain\nx' }), /not a MIME type/],
    ['data that is no base64', () => image('not base64!', 'image/png'), /bytes, or their base64/],
    ['base64 without padding', () => audio('AAH+/w', 'audio/wav'), /bytes, or their base64/],
    ['base64 for URLs', () => audio('AAH-_w==', 'audio/wav'), /bytes, or their base64/],
    ['a relative URI', () => resourceLink({ uri: '/a', name: 'a' }), /"\/a" is not an absolute URI/],
    ['a URI that is none', () => embeddedResource('', 'x'), /not an absolute URI/],
  ])('refuses %s', (_what, build, message) => {
    expect(build).toThrow(message);
  });

  it('bears megabytes', () => {
    const large = Buffer.alloc(6 * 1024 * 1024, 7).toString('base64');
    expect(image(large, 'image/png').data).toBe(large);
    expect(() => image(`${large.slice(0, -1)}!`, 'image/png')).toThrow(/base64/);
  });
});

describe('a tool', () => {
  const ICONS = [{ src: 'https://a.example/icon.png', mimeType: 'image/png', sizes: ['48x48'] }, { src: 'data:image/png;base64,AA==' }];

  @Injectable()
  class Tools {
    @McpTool({
      description: 'shows',
      icons: ICONS,
      annotations: { readOnlyHint: true, title: 'Shows' },
      _meta: { 'example.com/a': 1 },
    })
    show() {
      return [text('Look:'), image(BYTES, 'image/png'), resourceLink({ uri: 'x://a', name: 'a' })];
    }
  }

  it('returns what builders made, and is listed with its icons, annotations and _meta', async () => {
    const app = await createMcpTestingApp({ providers: [Tools] });
    const { result } = await app.client().callTool('show');
    expect(result?.content?.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link']);
    expect(result).not.toHaveProperty('structuredContent');
    expect((await app.client().listTools()).result?.tools[0]).toMatchObject({
      icons: ICONS,
      annotations: { readOnlyHint: true, title: 'Shows' },
      _meta: { 'example.com/a': 1 },
    });
    await app.close();
  });

  it('may have the address of its icon from the environment', async () => {
    @Injectable()
    class Placed {
      @McpTool({ description: 'x', icons: [{ src: '${MOCAPI_TEST_ICONS:https://cdn.example}/x.png' }] })
      tool() {
        return '';
      }
    }
    const app = await createMcpTestingApp({ providers: [Placed] });
    expect((await app.client().listTools()).result?.tools[0]?.icons).toEqual([{ src: 'https://cdn.example/x.png' }]);
    await app.close();
  });

  it.each(['javascript:alert(1)', 'http://a.example/x.png', 'file:///x.png', '/x.png', 'data:text/html,x', 'https://'])(
    'does not boot with an icon that no client would show: %s',
    async (src) => {
      @Injectable()
      class Unsafe {
        @McpTool({ description: 'x', icons: [{ src }] })
        tool() {
          return '';
        }
      }
      await expect(createMcpTestingApp({ providers: [Unsafe] })).rejects.toThrow(/Unsafe\.tool: the icon ".*" is neither/);
    },
  );
});
