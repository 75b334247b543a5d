import { McpError, McpPrompt, McpResource, McpTool, McpToolError } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import {
  Catch,
  HttpException,
  HttpStatus,
  Injectable,
  NotFoundException,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { SentryGlobalFilter } from '@sentry/nestjs/setup';

const CLOSED = 'Order 17 is closed: use reopen_order first';
let thrown: () => unknown;
let caught = 0;

/** The catch-everything filter of Nest's documentation. */
@Catch()
class CatchEverythingFilter implements ExceptionFilter {
  constructor(private readonly httpAdapterHost: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    caught += 1;
    const { httpAdapter } = this.httpAdapterHost;
    const ctx = host.switchToHttp();
    const httpStatus = exception instanceof HttpException ? exception.getStatus() : HttpStatus.INTERNAL_SERVER_ERROR;
    const responseBody = {
      statusCode: httpStatus,
      timestamp: new Date().toISOString(),
      path: httpAdapter.getRequestUrl(ctx.getRequest()) as string,
    };
    httpAdapter.reply(ctx.getResponse(), responseBody, httpStatus);
  }
}

class OrderClosed extends Error {}

@Catch(OrderClosed)
class ThrowingFilter implements ExceptionFilter {
  catch(): never {
    caught += 1;
    throw thrown();
  }
}

@Injectable()
class Orders {
  @McpTool({ description: 'Fails' })
  fails(): never {
    throw thrown();
  }

  @McpTool({ description: 'Fails as a task' })
  @McpTask({ required: true })
  failsLater(): never {
    throw thrown();
  }

  @McpPrompt({ description: 'Fails' })
  ask(): never {
    throw thrown();
  }

  @McpResource({ uri: 'orders://17' })
  read(): never {
    throw thrown();
  }

  @McpTool({ description: 'Its filter throws' })
  @UseFilters(ThrowingFilter)
  refilters(): never {
    throw new OrderClosed('the first error');
  }
}

let testing: McpTestingApp | undefined;
const start = async (filter: new (...args: never[]) => ExceptionFilter): Promise<McpTestingApp> =>
  (testing = await createMcpTestingApp({
    imports: [McpTasksModule.forRoot()],
    providers: [Orders, { provide: APP_FILTER, useClass: filter as never }],
  }));
afterEach(() => testing?.close());
beforeEach(() => {
  caught = 0;
});

const text = async (tool: string): Promise<string | undefined> => {
  const { result } = await testing!.client().callTool(tool);
  return result?.isError ? result.content?.[0]?.text : undefined;
};

describe('A-4: an exception filter written for HTTP takes no message away from the model', () => {
  describe.each([
    ["the catch-everything filter of Nest's documentation", CatchEverythingFilter],
    ['SentryGlobalFilter', SentryGlobalFilter],
  ])('under %s', (_name, filter) => {
    beforeEach(() => start(filter));

    it('a McpToolError keeps its text, and no filter sees it', async () => {
      thrown = () => new McpToolError(CLOSED);
      expect(await text('fails')).toBe(CLOSED);
      expect(caught).toBe(0);
    });

    it('a NotFoundException keeps its text, in a tool, a prompt and a resource', async () => {
      thrown = () => new NotFoundException('no order 17');
      expect(await text('fails')).toBe('no order 17');
      const client = testing!.client();
      expect((await client.request('prompts/get', { name: 'ask' })).error?.message).toBe('no order 17');
      expect((await client.request('resources/read', { uri: 'orders://17' })).error).toMatchObject({
        code: -32602,
        message: 'no order 17',
      });
      expect(caught).toBe(filter === CatchEverythingFilter ? 3 : 0);
    });

    it('both keep it in a task', async () => {
      const client = testing!.client().withTasks();
      for (const [make, message] of [
        [() => new McpToolError(CLOSED), CLOSED],
        [() => new NotFoundException('no order 17'), 'no order 17'],
      ] as const) {
        thrown = make;
        const created = await client.callTool('failsLater');
        const task = await pollTask(client, created.result!.taskId!);
        expect(task).toMatchObject({ status: 'completed', result: { isError: true, content: [{ type: 'text', text: message }] } });
      }
    });

    it('nothing of an unexpected error is told', async () => {
      thrown = () => new Error('secret');
      expect(await text('fails')).toMatch(/^Internal (server )?error/);
    });
  });

  describe('what a filter throws is the outcome', () => {
    beforeEach(() => start(CatchEverythingFilter));

    it.each<[string, () => unknown, object]>([
      ['a McpToolError', () => new McpToolError(CLOSED), { result: { isError: true, content: [{ text: CLOSED }] } }],
      ['an HttpException', () => new NotFoundException('gone'), { result: { isError: true, content: [{ text: 'gone' }] } }],
      ['an McpError', () => new McpError(1001, 'closed'), { error: { code: 1001, message: 'closed' } }],
      [
        'a defect',
        () => new TypeError('secret'),
        { result: { isError: true, content: [{ text: expect.stringMatching(/^Internal error/) }] } },
      ],
    ])('%s', async (_what, make, reply) => {
      thrown = make;
      expect(await testing!.client().callTool('refilters')).toMatchObject(reply);
      expect(caught).toBe(1);
    });
  });
});
