import { Module, type LoggerService, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { McpModule, McpPrincipalSource, type JsonObject, type McpModuleOptions, type McpPrincipal } from '../../src/index.js';

/** The caller is whom the header `x-user` names; without it nobody. */
class HeaderPrincipals extends McpPrincipalSource {
  override resolve(request: object): McpPrincipal | undefined {
    const { 'x-user': user } = (request as { headers: Record<string, string | undefined> }).headers;
    return user === undefined ? undefined : { id: user };
  }
}

/** Keeps what is logged, and prints nothing. */
export class KeptLog implements LoggerService {
  readonly errors: string[] = [];
  log(): void {}
  warn(): void {}
  debug(): void {}
  error(...parts: unknown[]): void {
    this.errors.push(parts.map(String).join('\n'));
  }
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  /** The `result` or the `error` of the JSON-RPC response. */
  readonly result: any;
  readonly error: any;
}

export interface Call extends JsonObject {
  readonly name: string;
}

export interface Caller {
  readonly user?: string;
  readonly capabilities?: JsonObject;
}

/** A server with some tools on a real port, and a client that knows nothing of how it is made. */
export class WireApp {
  readonly log = new KeptLog();
  private app!: NestFastifyApplication;
  private url = '';
  private id = 0;

  static async start(tools: Type | Provider, options: Partial<McpModuleOptions> = {}): Promise<WireApp> {
    const wire = new WireApp();
    class TestModule {}
    Module({
      imports: [
        McpModule.forRoot({ name: 'wire', version: '1', ...options, providers: [{ provide: McpPrincipalSource, useClass: HeaderPrincipals }] }),
      ],
      providers: [tools],
    })(TestModule);
    wire.app = await NestFactory.create<NestFastifyApplication>(TestModule, new FastifyAdapter(), { logger: wire.log, abortOnError: false });
    await wire.app.listen(0, '127.0.0.1');
    wire.url = `${await wire.app.getUrl()}/mcp`;
    return wire;
  }

  get<T>(type: Type<T>): T {
    return this.app.get(type);
  }

  /** Calls a tool; the params beside its name are sent as they are. */
  async call(params: Call, { user, capabilities = { elicitation: {} } }: Caller = {}): Promise<Reply> {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': params.name,
        ...(user === undefined ? {} : { 'x-user': user }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: (this.id += 1), method: 'tools/call', params: { ...params, _meta } }),
    });
    const text = await response.text();
    const { result, error } = JSON.parse(text) as { result?: unknown; error?: unknown };
    return { status: response.status, text, result, error };
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

/** The text that a tool's result holds. */
export function textOf({ result }: Reply): string {
  return (result.content as { text: string }[]).map(({ text }) => text).join('\n');
}

export function accept(content: JsonObject): JsonObject {
  return { action: 'accept', content };
}
