import { completable, ResourceNotFoundError, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { NAMES, PNG, TONES } from './fixtures.js';

/** The prompts, resources and completions, by the official API. */
export function registerSurface(server: McpServer): void {
  registerPrompts(server);
  registerResources(server);
}

function registerPrompts(server: McpServer): void {
  server.registerPrompt('hello', { title: 'Hello', description: 'Takes nothing' }, () => saying('Takes nothing', 'Say hello.'));
  const name = completable(z.string().describe('Whom'), (value) => NAMES.filter((known) => known.startsWith(value)));
  const tone = completable(z.string().describe('How'), (value, context) =>
    TONES.filter((known) => known.startsWith(value) && known !== context?.arguments?.['name']),
  );
  const argsSchema = z.object({ name, tone: tone.optional() });
  server.registerPrompt('greet', { description: 'Takes two arguments', argsSchema }, (args) =>
    saying('Takes two arguments', `Greet ${args.name} in a ${args.tone ?? 'plain'} tone.`),
  );
  server.registerPrompt('pictures', { description: 'Several messages' }, () => ({
    description: 'Several messages',
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      { role: 'assistant', content: { type: 'text', text: 'A pixel.' } },
      { role: 'user', content: { type: 'resource', resource: { uri: 'demo://text', mimeType: 'text/plain', text: 'text' } } },
    ],
  }));
  server.registerPrompt('broken', { description: 'Breaks' }, () => {
    throw new Error('Broken');
  });
  server.registerPrompt('grüße', { description: 'Has a name that is not ASCII' }, () => saying('Has a name that is not ASCII', 'Grüße!'));
}

function registerResources(server: McpServer): void {
  const text = { title: 'Text', description: 'A text', mimeType: 'text/plain' };
  server.registerResource('text', 'demo://text', text, ({ href: uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'text' }] }));
  const blob = { mimeType: 'image/png', size: 69, annotations: { audience: ['user' as const], priority: 1 } };
  server.registerResource('blob', 'demo://blob', blob, ({ href: uri }) => ({ contents: [{ uri, mimeType: 'image/png', blob: PNG }] }));
  server.registerResource('many', 'demo://many', {}, () => ({
    contents: [
      { uri: 'demo://many/1', mimeType: 'text/plain', text: 'one' },
      { uri: 'demo://many/2', mimeType: 'application/json', text: '{}', _meta: { 'example.com/n': 2 } },
    ],
  }));
  server.registerResource('broken', 'demo://broken', {}, () => {
    throw new Error('Broken');
  });
  server.registerResource('empty', 'demo://empty', { mimeType: 'text/plain' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: '' }],
  }));
  const template = new ResourceTemplate('demo://items/{id}', {
    list: undefined,
    complete: { id: (value) => ['1', '10', '2'].filter((id) => id.startsWith(value)) },
  });
  server.registerResource('item', template, { description: 'An item', mimeType: 'text/plain' }, ({ href: uri }, { id }) => {
    if (id === 'gone') throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: 'text/plain', text: `Item ${String(id)}` }] };
  });
}

function saying(description: string, text: string) {
  return { description, messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
