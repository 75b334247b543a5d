import { SetMetadata } from '@nestjs/common';

/** The endpoint of a `McpModule.forRoot` without a name: that of the whole application. */
export const ROOT_ENDPOINT = 'root';

/** Metadata key of `@McpEndpoint`. */
export const ENDPOINT_METADATA = 'mocapi:endpoints';

/**
 * Says to which endpoints a class belongs, in an application that has several: its handlers are offered there and nowhere else, and a seam it fills
 * is filled there. Without it the module decides (`McpModule.forFeature`), and else handlers are those of `'root'` and seams those of every endpoint.
 */
export function McpEndpoint(...endpoints: readonly [string, ...string[]]): ClassDecorator {
  return SetMetadata(ENDPOINT_METADATA, endpoints);
}
