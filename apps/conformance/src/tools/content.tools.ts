import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { embeddedResource, McpContext, McpTool, McpToolError, text, type ContentBlock, type McpToolContext } from '@mocapi/core';
import { AUDIO, IMAGE } from './media.js';

/** The fixtures of the `tools-call-*` scenarios: what each returns, word for word. */
@Injectable()
export class ContentTools {
  // First in tools/list: the suite calls the first tool with no arguments, as a client without tasks.
  @McpTool({ name: 'test_simple_text', description: 'Returns a text' })
  simpleText(): string {
    return 'This is a simple text response for testing.';
  }

  @McpTool({ name: 'test_image_content', description: 'Returns an image' })
  imageContent(): ContentBlock {
    return IMAGE;
  }

  @McpTool({ name: 'test_audio_content', description: 'Returns a sound' })
  audioContent(): ContentBlock {
    return AUDIO;
  }

  @McpTool({ name: 'test_embedded_resource', description: 'Returns a resource' })
  embeddedResource(): ContentBlock {
    return embeddedResource('test://embedded-resource', 'This is an embedded resource content.', { mimeType: 'text/plain' });
  }

  @McpTool({ name: 'test_multiple_content_types', description: 'Returns a text, an image and a resource' })
  multipleContentTypes(): ContentBlock[] {
    const json = JSON.stringify({ test: 'data', value: 123 });
    return [
      text('Multiple content types test:'),
      IMAGE,
      embeddedResource('test://mixed-content-resource', json, { mimeType: 'application/json' }),
    ];
  }

  @McpTool({ name: 'test_error_handling', description: 'Always fails' })
  errorHandling(): never {
    throw new McpToolError('This tool intentionally returns an error for testing');
  }

  @McpTool({ name: 'test_tool_with_progress', description: 'Reports progress' })
  async withProgress(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.progress(0, 100);
    await setTimeout(50);
    ctx.progress(50, 100);
    await setTimeout(50);
    ctx.progress(100, 100);
    return 'Done';
  }
}
