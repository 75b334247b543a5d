import { McpArg, McpArgs, McpField, McpTool, type JsonObject } from '@mocapi/core';
import { ToolRegistry, type McpDispatchInterceptor, McpSeam, missingCapability } from '@mocapi/core/extension';
import { createMcpTestingApp, type McpReply, type McpTestingApp } from '@mocapi/testing';
import { Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { checkParamHeaders } from '../../src/methods/check-param-headers.js';

class PlaceDto {
  @IsString() @McpField({ header: 'Zone' }) zone!: string;
}

class RouteArgs {
  @IsString() @McpField({ header: 'Region' }) region!: string;
  @IsInt() @IsOptional() @McpField({ header: 'X-Count' }) count?: number;
  @IsBoolean() @IsOptional() @McpField({ header: 'dry' }) dry?: boolean;
  @ValidateNested() @Type(() => PlaceDto) @IsOptional() place?: PlaceDto;
}

const refusals: string[] = [];

@Injectable()
class RecordingGuard implements CanActivate {
  canActivate(): boolean {
    refusals.push('guard');
    return false;
  }
}

@Injectable()
class Tools {
  bodies = 0;

  @McpTool({ description: 'is routed by its arguments' })
  route(@McpArgs() args: RouteArgs) {
    this.bodies += 1;
    return args;
  }

  @McpTool({ description: 'is routed by one argument' })
  one(@McpArg('region', { header: 'Region' }) region: string, @McpArg('plain', { required: false }) plain: string) {
    return `${region} ${plain}`;
  }

  @McpTool({
    description: 'says it itself',
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  })
  raw(@McpArgs() args: JsonObject) {
    return args['region'] ?? 'none';
  }

  @McpTool({ description: 'lets nobody in' })
  @UseGuards(RecordingGuard)
  guarded(@McpArg('region', { header: 'Region' }) region: string) {
    return region;
  }
}

/** Refuses as the innermost interceptor of an extension would. */
@Injectable()
@McpSeam('dispatch-interceptor', { order: 1000 })
class NeedsExtension implements McpDispatchInterceptor {
  active = false;

  async intercept(_context: never, next: () => Promise<never>): Promise<never> {
    if (this.active) throw missingCapability('no', { extensions: { x: {} } });
    return next();
  }
}

let app: McpTestingApp;
let tools: Tools;
beforeAll(async () => {
  app = await createMcpTestingApp({ providers: [Tools, RecordingGuard, NeedsExtension] });
  tools = app.app.get(Tools);
});
beforeEach(() => {
  tools.bodies = 0;
  refusals.length = 0;
  app.app.get(NeedsExtension).active = false;
});
afterAll(() => app.close());

function call(name: string, args: JsonObject, headers: Record<string, string> = {}): Promise<McpReply> {
  return app.client().callTool(name, args, { headers });
}

function refused(reply: McpReply, header: string): void {
  expect([reply.status, reply.error?.code, reply.error?.data]).toEqual([400, -32020, { header }]);
}

const encoded = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('an argument that is repeated in a header', () => {
  it('is advertised with the name of its header, whichever way it was declared', async () => {
    const { result } = await app.client().listTools();
    const properties = Object.fromEntries(result!.tools.map(({ name, inputSchema }) => [name, inputSchema.properties as JsonObject]));
    expect(properties['route']).toMatchObject({
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'X-Count' },
      dry: { type: 'boolean', 'x-mcp-header': 'dry' },
      place: { properties: { zone: { 'x-mcp-header': 'Zone' } } },
    });
    expect(properties['one']).toEqual({ region: { type: 'string', 'x-mcp-header': 'Region' }, plain: { type: 'string' } });
    expect(properties['raw']).toEqual({ region: { type: 'string', 'x-mcp-header': 'Region' } });
  });

  it('is known to what reads the registry', () => {
    expect(app.app.get(ToolRegistry).byKey.get('route')?.paramHeaders).toEqual([
      { header: 'Region', path: ['region'], type: 'string' },
      { header: 'X-Count', path: ['count'], type: 'integer' },
      { header: 'dry', path: ['dry'], type: 'boolean' },
      { header: 'Zone', path: ['place', 'zone'], type: 'string' },
    ]);
  });

  it.each<[string, JsonObject, Record<string, string>]>([
    ['as it is', { region: 'eu' }, { 'Mcp-Param-Region': 'eu' }],
    ['in any case of the name', { region: 'eu' }, { 'MCP-PARAM-REGION': 'eu' }],
    ['with whitespace around', { region: 'eu' }, { 'Mcp-Param-Region': '  eu\t' }],
    ['as base64', { region: 'Österreich' }, { 'Mcp-Param-Region': encoded('Österreich') }],
    ['with whitespace in base64', { region: ' eu ' }, { 'Mcp-Param-Region': encoded(' eu ') }],
    ['that is empty', { region: '' }, { 'Mcp-Param-Region': '' }],
    ['that only looks like base64', { region: '=?base64?ZXU=' }, { 'Mcp-Param-Region': '=?base64?ZXU=' }],
    ['as an integer', { region: 'eu', count: 42 }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-X-Count': '42' }],
    ['as the same integer in other words', { region: 'eu', count: 42 }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-X-Count': '42.0' }],
    ['as a negative integer', { region: 'eu', count: -1 }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-X-Count': '-1' }],
    ['as a boolean', { region: 'eu', dry: false }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Dry': 'false' }],
    ['that stands in an object', { region: 'eu', place: { zone: 'z' } }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Zone': 'z' }],
  ])('agrees with it %s', async (_how, args, headers) => {
    const reply = await call('route', args, headers);
    expect(reply.result?.structuredContent).toMatchObject(args);
  });

  it.each<[string, JsonObject, Record<string, string>, string]>([
    ['is missing though the body has a value', { region: 'eu' }, {}, 'Mcp-Param-Region'],
    ['is missing though the body has an empty text', { region: '' }, {}, 'Mcp-Param-Region'],
    ['is missing though the body has zero', { region: 'eu', count: 0 }, { 'Mcp-Param-Region': 'eu' }, 'Mcp-Param-X-Count'],
    ['is missing though the body has false', { region: 'eu', dry: false }, { 'Mcp-Param-Region': 'eu' }, 'Mcp-Param-dry'],
    ['says something else', { region: 'eu' }, { 'Mcp-Param-Region': 'us' }, 'Mcp-Param-Region'],
    ['says it in another case', { region: 'eu' }, { 'Mcp-Param-Region': 'EU' }, 'Mcp-Param-Region'],
    ['is bad base64', { region: 'Hello' }, { 'Mcp-Param-Region': '=?base64?SGVsbG8?=' }, 'Mcp-Param-Region'],
    ['has junk in its base64', { region: 'Hello' }, { 'Mcp-Param-Region': '=?base64?SGVs!!!bG8=?=' }, 'Mcp-Param-Region'],
    ['is no UTF-8', { region: 'x' }, { 'Mcp-Param-Region': '=?base64?/w==?=' }, 'Mcp-Param-Region'],
    ['has characters that headers do not have', { region: 'Österreich' }, { 'Mcp-Param-Region': 'Österreich' }, 'Mcp-Param-Region'],
    ['is another number', { region: 'eu', count: 42 }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-X-Count': '43' }, 'Mcp-Param-X-Count'],
    [
      'is the number in hexadecimal',
      { region: 'eu', count: 42 },
      { 'Mcp-Param-Region': 'eu', 'Mcp-Param-X-Count': '0x2a' },
      'Mcp-Param-X-Count',
    ],
    [
      'is the number with a plus',
      { region: 'eu', count: 42 },
      { 'Mcp-Param-Region': 'eu', 'Mcp-Param-X-Count': '+42' },
      'Mcp-Param-X-Count',
    ],
    ['is empty beside a number', { region: 'eu', count: 0 }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-X-Count': '' }, 'Mcp-Param-X-Count'],
    ['is another word for true', { region: 'eu', dry: true }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Dry': 'TRUE' }, 'Mcp-Param-dry'],
    ['is there though the body has nothing', { region: 'eu' }, { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Zone': 'z' }, 'Mcp-Param-Zone'],
    [
      'is there though the body has null',
      { region: 'eu', count: null },
      { 'Mcp-Param-Region': 'eu', 'Mcp-Param-X-Count': 'null' },
      'Mcp-Param-X-Count',
    ],
    [
      'is there though the way to it ends before',
      { region: 'eu', place: 'z' },
      { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Zone': 'z' },
      'Mcp-Param-Zone',
    ],
  ])('is refused with -32020 and status 400 when it %s, and the body does not run', async (...[, args, headers, header]) => {
    refused(await call('route', args, headers), header);
    expect(tools.bodies).toBe(0);
  });

  it('is refused when its header comes twice, even with the same value', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'one',
        arguments: { region: 'eu, eu' },
        _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
      },
    });
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(app.url, { method: 'POST' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.setHeader('content-type', 'application/json');
      sent.setHeader('mcp-protocol-version', '2026-07-28');
      sent.setHeader('mcp-method', 'tools/call');
      sent.setHeader('mcp-name', 'one');
      sent.setHeader('Mcp-Param-Region', ['eu', 'eu']);
      sent.end(body);
    });
    expect(status).toBe(400);
  });

  it('need not be there when the body has no value for it', async () => {
    expect((await call('raw', {})).result?.content?.[0]?.text).toBe('none');
    expect((await call('route', { region: 'eu', count: null }, { 'Mcp-Param-Region': 'eu' })).result?.isError).toBe(true);
  });

  it('is checked on its own: a header that no argument declares is ignored', async () => {
    const headers = { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Other': '=?base64?!?=', 'Mcp-Param-Plain': 'lie' };
    expect((await call('one', { region: 'eu', plain: 'p' }, headers)).result?.content?.[0]?.text).toBe('eu p');
  });

  it('that is an integer no client can count exactly is a wrong argument, with its header or without', async () => {
    const sent: Record<string, string>[] = [{}, { 'Mcp-Param-X-Count': '9007199254740992' }];
    for (const headers of sent) {
      const reply = await call('route', { region: 'eu', count: 2 ** 53 }, { 'Mcp-Param-Region': 'eu', ...headers });
      expect([reply.status, reply.result?.isError, reply.result?.content?.[0]?.text]).toEqual([
        200,
        true,
        expect.stringContaining('count: must be'),
      ]);
    }
  });

  it('that is of a type no header can hold is a wrong argument', async () => {
    const reply = await call('route', { region: ['eu'] });
    expect(reply.result?.content?.[0]?.text).toContain('Invalid arguments for route');
  });
});

describe('the check of these headers comes', () => {
  it('after the guards', async () => {
    expect((await call('guarded', { region: 'eu' })).error?.code).toBe(403);
    expect((await call('guarded', { region: 'eu' }, { 'Mcp-Param-Region': 'eu' })).error?.code).toBe(403);
  });

  it('before the arguments are checked against the schema', async () => {
    refused(await call('one', { region: 'eu', plain: 7 }), 'Mcp-Param-Region');
  });

  it('after the tool and the form of its arguments', async () => {
    expect((await call('unknown', { region: 'eu' })).error?.code).toBe(-32602);
    expect((await app.client().request('tools/call', { name: 'one', arguments: 'eu' })).error?.code).toBe(-32602);
  });

  it('after the extension that the tool needs', async () => {
    app.app.get(NeedsExtension).active = true;
    expect((await call('one', { region: 'eu' })).error?.code).toBe(-32021);
  });

  it('never, on a transport without headers', () => {
    const tool = app.app.get(ToolRegistry).byKey.get('one')!;
    const args = { region: 'eu' };
    expect(() => checkParamHeaders(undefined, tool, args)).not.toThrow();
    expect(() => checkParamHeaders({}, tool, args)).toThrow(/Mcp-Param-Region header is missing/);
  });
});
