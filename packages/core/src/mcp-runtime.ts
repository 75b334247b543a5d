import { Logger, Scope, type CanActivate, type Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { McpDefinitionsError } from './errors/definition-fault.js';
import { deriveKeys, ephemeralKeyRing } from './replay/key-ring.js';
import { RequestStateCodec } from './replay/request-state-codec.js';
import { WireCarrier } from './replay/wire-carrier.js';
import type { ResolvedMcpOptions } from './options/resolve-mcp-options.js';

const logger = new Logger('McpModule');

/** Nest's key for the options of `@Injectable()`. */
const SCOPE_OPTIONS = 'scope:options';

/** The wire carrier under the configured keys, or under a random one of this process, which is said at boot. */
export function createWireCarrier({ endpoint, requestState }: ResolvedMcpOptions): WireCarrier {
  if (!requestState.keys) {
    logger.warn(
      `Endpoint "${endpoint}": requestState.keys is not set: answers to questions outside of tasks are lost at a restart and on every other node`,
    );
  }
  const keys = deriveKeys(requestState.keys ?? ephemeralKeyRing());
  return new WireCarrier(new RequestStateCodec({ keys, ttlMs: requestState.ttlMs, maxLength: requestState.maxLength, now: Date.now }));
}

/** The endpoint's guards as instances; those given as classes are taken from the container, or made. */
export function endpointGuards({ guards }: ResolvedMcpOptions, moduleRef: ModuleRef): Promise<CanActivate[]> {
  return Promise.all(guards.map((guard) => instanceOf(guard, moduleRef)));
}

async function instanceOf(guard: CanActivate | Type<CanActivate>, moduleRef: ModuleRef): Promise<CanActivate> {
  if (typeof guard !== 'function') return guard;
  if ((Reflect.getMetadata(SCOPE_OPTIONS, guard) as { scope?: Scope } | undefined)?.scope === Scope.REQUEST) throw requestScoped(guard);
  try {
    return moduleRef.get(guard, { strict: false });
  } catch {
    return moduleRef.create(guard);
  }
}

function requestScoped(guard: Type<CanActivate>): McpDefinitionsError {
  return new McpDefinitionsError([
    {
      where: 'McpModule guards',
      problem: `${guard.name} is request-scoped, and the endpoint's guards are made once`,
      mend: 'Make it a singleton that reads the request from its context, or provide it as an APP_GUARD.',
    },
  ]);
}
