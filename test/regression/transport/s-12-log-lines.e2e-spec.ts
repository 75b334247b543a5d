import { McpArg, McpContext, McpError, McpResourceTemplate, McpTool, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { ForbiddenException, Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { call, headersOf, request, send } from './raw-client.js';

const FORGED = 'x\n[Nest] 1  - LOG [Auth] admin signed in\u001b[2J\r\u2028\u202e';
const MARK = 'admin signed in';

class TellingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params } = context.switchToHttp().getRequest<{ body: { params: { arguments: { text: string } } } }>().body;
    if (params.arguments.text.startsWith('x')) throw new ForbiddenException(`not you: ${params.arguments.text}`);
    return true;
  }
}

@Injectable()
class Handlers {
  @McpTool({ description: 'Fails with what it was given' })
  fails(@McpArg('text') text: string): string {
    throw new Error(`no such file: ${text}`);
  }

  @McpTool({ description: 'Fails with a cause, by an error of the protocol' })
  causes(@McpArg('text') text: string): string {
    throw new McpError(1001, `refused ${text}`, { cause: new Error(`because of ${text}`, { cause: `a text: ${text}` }) });
  }

  @McpTool({ description: 'Fails with what is no error' })
  throwsText(@McpArg('text') text: string): string {
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw `thrown ${text}`;
  }

  @McpTool({ description: 'Changes the message of its error' })
  renames(@McpArg('text') text: string): string {
    const error = new Error(`first ${text}`);
    // Read once, so that it is made of the first message wherever stacks are made late.
    if (error.stack) error.message = 'second';
    throw error;
  }

  @McpTool({ description: 'Guarded' })
  @UseGuards(TellingGuard)
  guarded(@McpArg('text') text: string, @McpContext() _ctx: McpToolContext): string {
    return text;
  }

  @McpResourceTemplate({ uriTemplate: 'note://{+path}', description: 'Fails with its URI' })
  note(@McpArg('path') path: string): string {
    throw new Error(`no note ${path}`);
  }
}

describe('S-12: what a client sends begins no line in the log and moves no terminal', () => {
  let app: McpTestingApp;
  beforeAll(async () => {
    app = await createMcpTestingApp({ providers: [Handlers], options: { exposeErrorMessages: false } });
  });
  beforeEach(() => void (app.logs as unknown[]).splice(0));
  afterAll(() => app.close());

  /** The lines of the log that hold what no program of ours would write: controls, or a line that begins where the client's text broke. */
  const forged = (): string[] =>
    app.logs
      .flatMap(({ message, details = '' }) => [...message.split('\n'), ...details.split('\n')])
      // eslint-disable-next-line no-control-regex
      .filter((line) => /[\u0000-\u0008\u000b-\u001f\u007f\u2028\u202e]/.test(line) || line.startsWith('[Nest]'));
  const told = (): boolean => JSON.stringify(app.logs).includes(MARK);

  it.each(['fails', 'causes', 'throwsText', 'renames', 'guarded'])('an argument, in what %s throws', async (name) => {
    await call(app.url, 'tools/call', { name, arguments: { text: FORGED } } as object);
    expect({ told: told(), forged: forged() }).toEqual({ told: true, forged: [] });
  });

  it('a URI', async () => {
    const uri = `note://${encodeURIComponent(FORGED)}`;
    await call(app.url, 'resources/read', { uri });
    expect({ told: told(), forged: forged() }).toEqual({ told: true, forged: [] });
  });

  it('names, cursors, methods and headers that nothing answers to', async () => {
    const name = `=?base64?${Buffer.from(FORGED).toString('base64')}?=`;
    await send(app.url, { headers: headersOf('tools/call', name), body: request('tools/call', { name: FORGED }) });
    await call(app.url, 'tools/list', { cursor: FORGED });
    await send(app.url, { headers: headersOf('x'), body: request(FORGED) });
    await send(app.url, { headers: { ...headersOf('tools/list'), host: 'evil.example\u0085' }, body: request('tools/list') });
    await send(app.url, { headers: { 'mcp-protocol-version': '2025-11-25' }, body: { jsonrpc: '2.0', id: 1, method: FORGED, params: {} } });
    expect(forged()).toEqual([]);
  });
});
