import { Logger } from '@nestjs/common';
import { deriveKeys, ephemeralKeyRing } from '../replay/key-ring.js';
import { RequestStateCodec } from '../replay/request-state-codec.js';
import { WireCarrier } from '../replay/wire-carrier.js';
import type { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';

const logger = new Logger('McpModule');

/** The wire carrier under the configured keys, or under a random one of this process, which is said at boot. */
export function createWireCarrier({ endpoint, requestState }: ResolvedMcpOptions): WireCarrier {
  if (!requestState.keys) {
    logger.warn(
      `Endpoint "${endpoint}": requestState.keys is not set: answers to questions outside of tasks are lost after a restart and on every other node`,
    );
  }
  const keys = deriveKeys(requestState.keys ?? ephemeralKeyRing());
  return new WireCarrier(new RequestStateCodec({ keys, ttlMs: requestState.ttlMs, maxLength: requestState.maxLength, now: Date.now }));
}
