import { Logger } from '@nestjs/common';
import type { ErrorTranslation } from '../errors/error-translation.js';
import type { ErrorMapping } from '../errors/error-to-json-rpc.js';
import { errorLine } from '../errors/mask-error.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import type { McpDispatchInterceptor } from '../dispatch/dispatch-interceptor.js';
import type { EndpointGate } from '../dispatch/endpoint-gate.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import { type McpMethodContributor, buildMethodTable } from '../dispatch/method-table.js';
import { type RoutedParamContributor, buildRoutedParamTable } from '../dispatch/routed-param-table.js';
import type { DefinitionFault } from '../errors/definition-fault.js';
import type { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';
import type { SeamRegistry } from '../seams/seam-registry.js';

/** Parts from which a dispatcher is assembled at boot. */
export interface AssemblyParts {
  readonly options: ResolvedMcpOptions;
  readonly seams: SeamRegistry;
  readonly methods: readonly McpMethod[];
  readonly gate: EndpointGate;
  readonly translation: ErrorTranslation;
  readonly faults: DefinitionFault[];
}

/** The dispatcher over the core's methods and everything the application's seams add; collisions go to `faults`. */
export function assembleDispatcher({ options, seams, methods, gate, translation, faults }: AssemblyParts): Dispatcher {
  const report = (fault: DefinitionFault): void => void faults.push(fault);
  const { endpoint, serverInfo, emitServerInfo } = options;
  return new Dispatcher({
    endpoint,
    methods: buildMethodTable(methods, seams.of<McpMethodContributor>('method-contributor'), report),
    routedParams: buildRoutedParamTable(seams.of<RoutedParamContributor>('routed-param-contributor'), report),
    interceptors: seams.of<McpDispatchInterceptor>('dispatch-interceptor'),
    gate,
    serverInfo: emitServerInfo ? serverInfo : undefined,
    errors: errorMapping(options, translation),
  });
}

function errorMapping({ exposeErrorMessages }: ResolvedMcpOptions, translation: ErrorTranslation): ErrorMapping {
  const logger = new Logger('McpDispatcher');
  return {
    exposeErrorMessages,
    translate: (error) => translation.translate(error),
    log: (entry) => logger.error(errorLine(entry), entry.description),
  };
}
