import { SetMetadata } from '@nestjs/common';

/** The endpoint of a `McpModule.forRoot` without a name: that of the whole application. */
export const ROOT_ENDPOINT = 'root';

/** Metadata key of `@McpEndpoint`. */
export const ENDPOINT_METADATA = 'mocapi:endpoints';

/**
 * Binds a class to endpoints, in an application with several: its handlers and seams belong only to those. Without it
 * the module decides (`McpModule.forFeature`); otherwise handlers belong to `'root'` and seams to every endpoint.
 */
export function McpEndpoint(...endpoints: readonly [string, ...string[]]): ClassDecorator {
  return SetMetadata(ENDPOINT_METADATA, endpoints);
}
