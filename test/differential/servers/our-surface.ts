import { Injectable, NotFoundException } from '@nestjs/common';
import { image, McpArg, McpComplete, McpPrompt, McpResource, McpResourceTemplate, text, type PromptMessage } from '@mocapi/core';
import { NAMES, PNG, TONES } from './fixtures.js';

/** The prompts, resources and completions, by our decorators. */
@Injectable()
export class OurSurface {
  @McpPrompt({ name: 'hello', title: 'Hello', description: 'Takes nothing' })
  hello(): string {
    return 'Say hello.';
  }

  @McpPrompt({ name: 'greet', description: 'Takes two arguments' })
  greet(
    @McpArg('name', { description: 'Whom' }) name: string,
    @McpArg('tone', { description: 'How', required: false }) tone?: string,
  ): string {
    return `Greet ${name} in a ${tone ?? 'plain'} tone.`;
  }

  @McpComplete({ prompt: 'greet', argument: 'name' })
  completeName(value: string): string[] {
    return NAMES.filter((name) => name.startsWith(value));
  }

  @McpComplete({ prompt: 'greet', argument: 'tone' })
  completeTone(value: string, others: Record<string, string>): string[] {
    return TONES.filter((tone) => tone.startsWith(value) && tone !== others['name']);
  }

  @McpPrompt({ name: 'pictures', description: 'Several messages' })
  pictures(): PromptMessage[] {
    return [
      { role: 'user', content: image(PNG, 'image/png') },
      { role: 'assistant', content: text('A pixel.') },
      { role: 'user', content: { type: 'resource', resource: { uri: 'demo://text', mimeType: 'text/plain', text: 'text' } } },
    ];
  }

  @McpPrompt({ name: 'broken', description: 'Breaks' })
  broken(): never {
    throw new Error('Broken');
  }

  @McpPrompt({ name: 'grüße', description: 'Has a name that is not ASCII' })
  umlauts(): string {
    return 'Grüße!';
  }

  @McpResource({ uri: 'demo://text', name: 'text', title: 'Text', description: 'A text', mimeType: 'text/plain' })
  text(): string {
    return 'text';
  }

  @McpResource({ uri: 'demo://blob', name: 'blob', mimeType: 'image/png', size: 69, annotations: { audience: ['user'], priority: 1 } })
  blob(): Buffer {
    return Buffer.from(PNG, 'base64');
  }

  @McpResource({ uri: 'demo://many', name: 'many' })
  many(): object[] {
    return [
      { uri: 'demo://many/1', mimeType: 'text/plain', text: 'one' },
      { uri: 'demo://many/2', mimeType: 'application/json', text: '{}', _meta: { 'example.com/n': 2 } },
    ];
  }

  @McpResource({ uri: 'demo://broken', name: 'broken' })
  brokenResource(): never {
    throw new Error('Broken');
  }

  @McpResource({ uri: 'demo://empty', name: 'empty', mimeType: 'text/plain' })
  emptyText(): string {
    return '';
  }

  @McpResourceTemplate({ uriTemplate: 'demo://items/{id}', name: 'item', description: 'An item', mimeType: 'text/plain' })
  item(@McpArg('id') id: string): string {
    if (id === 'gone') throw new NotFoundException();
    return `Item ${id}`;
  }

  @McpComplete({ template: 'demo://items/{id}', argument: 'id' })
  completeId(value: string): string[] {
    return ['1', '10', '2'].filter((id) => id.startsWith(value));
  }
}
