import { McpPrincipalSource, type JsonObject, type McpModuleOptions, type McpPrincipal } from '@mocapi/core';
import { createMcpTestingApp, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import type { Type } from '@nestjs/common';

/** The caller is whom the header `x-user` names; without it nobody. */
class HeaderPrincipals extends McpPrincipalSource {
  override resolve(request: object): McpPrincipal | undefined {
    const { 'x-user': user } = (request as { headers: Record<string, string | undefined> }).headers;
    return user === undefined ? undefined : { id: user };
  }
}

export interface Reply {
  readonly status: number;
  /** The body as it came. */
  readonly raw: string;
  /** The `result` or the `error` of the JSON-RPC response. */
  readonly result: any;
  readonly error: any;
}

/** Who calls, and what the calling client can do. */
export interface Caller {
  readonly user?: string;
  readonly capabilities?: JsonObject;
}

/** A server with some tools, over real HTTP. */
export class WireApp {
  private readonly client: McpTestClient;

  private constructor(private readonly testing: McpTestingApp) {
    this.client = testing.client();
  }

  static async start(tools: Type, options: Partial<McpModuleOptions> = {}): Promise<WireApp> {
    const principals = { provide: McpPrincipalSource, useClass: HeaderPrincipals };
    return new WireApp(await createMcpTestingApp({ providers: [tools], options: { ...options, providers: [principals] } }));
  }

  get<T>(type: Type<T>): T {
    return this.testing.app.get(type);
  }

  /** The errors that were logged, each with its stack. */
  get errors(): string[] {
    return this.testing.logs.filter(({ level }) => level === 'error').map(({ message, details }) => `${message}\n${details ?? ''}`);
  }

  /** Calls a tool with these params, right or wrong. */
  async call(params: JsonObject & { readonly name: string }, { user, capabilities = { elicitation: {} } }: Caller = {}): Promise<Reply> {
    const headers = user === undefined ? {} : { 'x-user': user };
    const { status, raw, result, error } = await this.client.request('tools/call', params, { capabilities, headers });
    return { status, raw, result, error };
  }

  close(): Promise<void> {
    return this.testing.close();
  }
}

/** The text that a tool's result holds. */
export function textOf({ result }: Reply): string {
  return (result.content as { text: string }[]).map(({ text }) => text).join('\n');
}
