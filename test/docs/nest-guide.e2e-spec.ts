import { McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable, Module, UseInterceptors, type MiddlewareConsumer } from '@nestjs/common';
import {
  configure,
  ContextInterceptor,
  ContextMiddleware,
  CurrentUser,
  GreetingTools,
  requestContext,
  ShopModule,
} from '../../docs/guides/code/nest.js';

let testing: McpTestingApp | undefined;
afterEach(async () => {
  await testing?.close();
  testing = undefined;
});

const textOf = async (app: McpTestingApp, tool: string, user: string): Promise<string | undefined> =>
  (await app.client({ headers: { 'x-user': user } }).callTool(tool)).result?.content?.[0]?.text;

describe('the Nest guide', () => {
  it('puts the endpoint behind the prefix and outside of the version, with the headers of helmet', async () => {
    testing = await createMcpTestingApp({ providers: [CurrentUser, GreetingTools], configure, path: '/api/mcp' });
    const reply = await testing.client({ headers: { 'x-user': 'ann' } }).callTool('greet');
    expect(reply.result?.content?.[0]?.text).toBe('Hello, ann');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('offers at each endpoint what belongs to it', async () => {
    testing = await createMcpTestingApp({ module: ShopModule });
    const toolsAt = async (path: string) => (await testing!.client({ path }).listTools()).result!.tools.map(({ name }) => name).toSorted();
    expect(await toolsAt('/mcp')).toEqual(['find', 'status']);
    expect(await toolsAt('/admin/mcp')).toEqual(['reindex', 'status']);
    const task = await testing.client({ path: '/admin/mcp' }).withTasks().callTool('reindex');
    expect(task.result).toMatchObject({ resultType: 'task' });
    const { result } = await testing.client().withTasks().discover();
    expect(result!.capabilities).not.toHaveProperty('extensions');
  });

  it('enters contexts by middleware and by an interceptor', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' }) byMiddleware(): string {
        return requestContext.getStore()!.user;
      }
      @McpTool({ description: 'x' }) @UseInterceptors(ContextInterceptor) byInterceptor(): string {
        return requestContext.getStore()!.user;
      }
    }
    @Module({ providers: [Tools, ContextInterceptor] })
    class AppModule {
      configure(consumer: MiddlewareConsumer): void {
        consumer.apply(ContextMiddleware).forRoutes('*path');
      }
    }
    testing = await createMcpTestingApp({
      imports: [AppModule],
      configure: (app) =>
        app.useGlobalGuards({
          canActivate: (context) => ((context.switchToHttp().getRequest<{ user?: object }>().user = { id: 'guarded' }), true),
        }),
    });
    expect([await textOf(testing, 'byMiddleware', 'ann'), await textOf(testing, 'byInterceptor', 'ann')]).toEqual(['ann', 'guarded']);
  });
});
