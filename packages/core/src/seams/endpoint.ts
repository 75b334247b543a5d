import { SetMetadata } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { isRecord } from '../protocol/json.js';

/** The endpoint of a `McpModule.forRoot` without a name: that of the whole application. */
export const ROOT_ENDPOINT = 'root';

/** Metadata key of `@McpEndpoint`. */
const ENDPOINT_METADATA = 'mocapi:endpoints';

/**
 * Binds a class to endpoints, in an application with several: its handlers and seams belong only to those. Without it
 * the module decides (`McpModule.forFeature`); otherwise handlers belong to `'root'` and seams to every endpoint.
 */
export function McpEndpoint(...endpoints: readonly [string, ...string[]]): ClassDecorator {
  return SetMetadata(ENDPOINT_METADATA, endpoints);
}

/** A provider of a module that belongs to one endpoint, and with it everything that the module provides. */
export abstract class McpEndpointBinding {
  abstract readonly endpoint: string;
}

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** The endpoints that a provider or controller belongs to: those its class names, else its module's. Undefined: neither says. */
export function endpointsOf(wrapper: Wrapper): readonly string[] | undefined {
  const classRef: unknown = wrapper.isNotMetatype ? wrapper.instance?.constructor : wrapper.metatype;
  const marked: readonly string[] | undefined =
    typeof classRef === 'function' ? Reflect.getMetadata(ENDPOINT_METADATA, classRef) : undefined;
  if (marked !== undefined) return marked;
  const bound = endpointOfModule(wrapper.host);
  return bound === undefined ? undefined : [bound];
}

/** The endpoint to which a module is bound; undefined if it is bound to none. */
export function endpointOfModule(module: Wrapper['host']): string | undefined {
  const binding: unknown = module?.providers.get(McpEndpointBinding)?.instance;
  return isRecord(binding) && typeof binding.endpoint === 'string' ? binding.endpoint : undefined;
}
