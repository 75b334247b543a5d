import type { DispatchContext } from '../../src/dispatch/dispatch-context.js';
import type { McpDispatchInterceptor } from '../../src/dispatch/dispatch-interceptor.js';
import { Dispatcher } from '../../src/dispatch/dispatcher.js';
import type { DispatcherParts } from '../../src/dispatch/dispatcher.js';
import { EndpointGate } from '../../src/dispatch/endpoint-gate.js';
import type { Exchange, RoutingHeaders } from '../../src/dispatch/exchange.js';
import type { McpMethod } from '../../src/dispatch/mcp-method.js';
import { buildMethodTable } from '../../src/dispatch/method-table.js';
import { buildRoutedParamTable } from '../../src/dispatch/routed-param-table.js';
import type { McpPrincipal } from '../../src/envelope/principal.js';
import type { DefinitionFault } from '../../src/errors/definition-fault.js';
import type { ErrorLogEntry } from '../../src/errors/mask-error.js';
import { invalidParams } from '../../src/errors/mcp.error.js';
import type { JsonObject } from '../../src/protocol/json.js';
import type { McpResult, RequestMessage } from '../../src/protocol/messages.js';

export const EXTENSION = 'com.example/toy';

export const META: JsonObject = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { extensions: { [EXTENSION]: {} } },
};

export const HEADERS: RoutingHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };

export function request(method: string, params: JsonObject = {}, id: string | number = 1): RequestMessage {
  return { jsonrpc: '2.0', id, method, params: { _meta: META, ...params } };
}

export function exchange(parts: Partial<Exchange> = {}): Exchange {
  return {
    signal: new AbortController().signal,
    notifications: { notify: () => {} },
    delivery: { onSettled: () => {} },
    request: {},
    ...parts,
  };
}

/** A gate that lets `principal` in, or refuses with what `refuse` throws. */
export class StubGate extends EndpointGate {
  readonly entered: DispatchContext[] = [];
  principal: McpPrincipal | undefined = { id: 'alice' };
  refuse: (() => never) | undefined;

  override async enter(context: DispatchContext): Promise<McpPrincipal | undefined> {
    this.entered.push(context);
    this.refuse?.();
    return this.principal;
  }
}

export const done: McpResult = {
  resultType: 'complete',
  content: [],
  tools: [],
  supportedVersions: ['2026-07-28'],
  capabilities: {},
  ttlMs: 0,
  cacheScope: 'private',
};

/** `tools/call` with a target and handler guards, `tools/list` without either, as the core has them. */
export function coreMethods(overrides: Partial<McpMethod> = {}): McpMethod[] {
  return [
    {
      name: 'tools/call',
      guards: 'handler',
      resolve: ({ params }) => {
        if (params.name !== 'echo') throw invalidParams('Unknown tool');
        return { kind: 'tool', name: 'echo' };
      },
      handle: async () => done,
      ...overrides,
    },
    { name: 'tools/list', handle: async () => done },
    { name: 'server/discover', handle: async () => done },
  ];
}

export interface Bench {
  readonly dispatcher: Dispatcher;
  readonly gate: StubGate;
  readonly log: ErrorLogEntry[];
  readonly faults: DefinitionFault[];
}

export interface BenchOptions extends Partial<DispatcherParts> {
  readonly core?: readonly McpMethod[];
  readonly contributed?: readonly McpMethod[];
  readonly exposeErrorMessages?: boolean;
}

/** A dispatcher with every part real but the methods and the gate. */
export function bench({ core = coreMethods(), contributed = [], exposeErrorMessages, ...parts }: BenchOptions = {}): Bench {
  const gate = new StubGate();
  const log: ErrorLogEntry[] = [];
  const faults: DefinitionFault[] = [];
  const report = (fault: DefinitionFault): void => void faults.push(fault);
  class ToyMethods {
    methods = (): readonly McpMethod[] => contributed;
  }
  const dispatcher = new Dispatcher({
    endpoint: 'root',
    methods: buildMethodTable(core, [new ToyMethods()], report),
    routedParams: buildRoutedParamTable([], report),
    interceptors: [],
    gate,
    serverInfo: undefined,
    errors: { log: (entry) => log.push(entry), exposeErrorMessages },
    ...parts,
  });
  return { dispatcher, gate, log, faults };
}

/** An interceptor that writes down when it was entered and left. */
export function logging(name: string, log: string[]): McpDispatchInterceptor {
  return {
    intercept: async (context, next) => {
      log.push(`${name} > ${context.method}`);
      const result = await next();
      log.push(`${name} <`);
      return result;
    },
  };
}
