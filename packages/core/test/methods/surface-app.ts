import { McpPrincipalSource, type JsonObject, type McpPrincipal } from '@mocapi/core';
import { createMcpTestingApp, type McpReply, type McpTestingApp, type McpTestingParts } from '@mocapi/testing';

/** The caller is whom the header `x-user` names; without it nobody. */
export class HeaderPrincipals extends McpPrincipalSource {
  override resolve(request: object): McpPrincipal | undefined {
    const { 'x-user': user } = (request as { headers: Record<string, string | undefined> }).headers;
    return user === undefined ? undefined : { id: user };
  }
}

/** A server over real HTTP, asked by whoever a test names. */
export class SurfaceApp {
  private constructor(readonly testing: McpTestingApp) {}

  static async start(parts: McpTestingParts & { configure?: Parameters<typeof createMcpTestingApp>[0]['configure'] }): Promise<SurfaceApp> {
    const providers = [{ provide: McpPrincipalSource, useClass: HeaderPrincipals }, ...(parts.options?.providers ?? [])];
    return new SurfaceApp(await createMcpTestingApp({ ...parts, options: { ...parts.options, providers } }));
  }

  request(method: string, params: JsonObject = {}, user?: string): Promise<McpReply> {
    return this.testing.client().request(method, params, user === undefined ? {} : { headers: { 'x-user': user } });
  }

  prompt(name: string, args?: JsonObject, user?: string): Promise<McpReply> {
    return this.request('prompts/get', { name, ...(args ? { arguments: args } : {}) }, user);
  }

  read(uri: string, user?: string): Promise<McpReply> {
    return this.request('resources/read', { uri }, user);
  }

  /** Completes an argument of the prompt, or of the template, that is named. */
  complete(owner: string, argument: JsonObject, { user, known }: { user?: string; known?: JsonObject } = {}): Promise<McpReply> {
    const ref: JsonObject = owner.includes('://') ? { type: 'ref/resource', uri: owner } : { type: 'ref/prompt', name: owner };
    return this.request('completion/complete', { ref, argument, ...(known ? { context: { arguments: known } } : {}) }, user);
  }

  /** What was logged as an error, each with its stack. */
  get errors(): string[] {
    return this.testing.logs.filter(({ level }) => level === 'error').map(({ message, details }) => `${message}\n${details ?? ''}`);
  }

  close(): Promise<void> {
    return this.testing.close();
  }
}
