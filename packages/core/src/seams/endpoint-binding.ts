import type { DiscoveryService } from '@nestjs/core';
import { ENDPOINT_METADATA } from './mcp-endpoint.decorator.js';

/** A provider of a module that belongs to one endpoint, and with it everything that the module provides. */
export abstract class McpEndpointBinding {
  abstract readonly endpoint: string;
}

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** The endpoints that a provider or controller belongs to: those its class names, else its module's. Undefined: neither says. */
export function endpointsOf(wrapper: Wrapper): readonly string[] | undefined {
  const classRef: unknown = wrapper.isNotMetatype ? (wrapper.instance as object | undefined)?.constructor : wrapper.metatype;
  const marked: unknown = typeof classRef === 'function' ? Reflect.getMetadata(ENDPOINT_METADATA, classRef) : undefined;
  if (marked !== undefined) return marked as readonly string[];
  const binding = wrapper.host?.providers.get(McpEndpointBinding)?.instance as McpEndpointBinding | undefined;
  return binding && [binding.endpoint];
}
