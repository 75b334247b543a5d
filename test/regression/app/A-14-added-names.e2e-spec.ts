import { McpRegistrar } from '@mocapi/core';
import { createMcpTestingApp } from '@mocapi/testing';
import { Injectable, ValidationPipe, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';

const seen: string[] = [];

@Injectable()
class SeenBy implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    seen.push(`${context.getClass().name}.${context.getHandler().name}`);
    return true;
  }
}

describe('A-14: a handler that is added at run time has its own name in the pipeline, and no warning', () => {
  it('tool, prompt, resource and template', async () => {
    const testing = await createMcpTestingApp({
      providers: [SeenBy, { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true }) }],
      options: { advertise: ['prompts', 'resources'] },
    });
    const registrar = testing.app.get(McpRegistrar, { strict: false });
    const guards = [SeenBy];
    const inputSchema = { type: 'object', properties: { id: { type: 'string' } } } as const;
    await registrar.addTool({ name: 'convert', description: 'x', inputSchema, guards, handler: () => 'a' });
    await registrar.addPrompt({ name: 'greet', inputSchema, guards, handler: () => 'a' });
    await registrar.addResource({ name: 'manual', uri: 'docs://manual', guards, handler: () => 'a' });
    await registrar.addResourceTemplate({ name: 'page', uriTemplate: 'docs://page/{id}', guards, handler: () => 'a' });
    const client = testing.client();
    seen.length = 0;
    await client.callTool('convert', { id: 'a' });
    await client.request('prompts/get', { name: 'greet', arguments: { id: 'a' } });
    await client.request('resources/read', { uri: 'docs://manual' });
    await client.request('resources/read', { uri: 'docs://page/a' });
    await testing.close();
    expect(new Set(seen)).toEqual(
      new Set(['AddedTool.convert', 'AddedPrompt.greet', 'AddedResource.manual', 'AddedResourceTemplate.page']),
    );
    expect(testing.logs.filter(({ level, context }) => level === 'warn' && context !== 'McpModule')).toEqual([]);
  });
});
