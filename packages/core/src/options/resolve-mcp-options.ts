import type { CanActivate, Type } from '@nestjs/common';
import type { DefinitionFault } from '../errors/definition-fault.js';
import { McpDefinitionsError } from '../errors/definition-fault.js';
import type { McpModuleOptions } from '../mcp-module-options.js';
import type { Implementation } from '../protocol/official.js';
import { deriveKeys, type KeyRing } from '../replay/key-ring.js';
import type { McpValueResolver } from '../seams/value-resolver.js';
import { parseDuration } from './duration.js';

/** The options of the module with defaults filled in, placeholders resolved and units converted; frozen. Nothing downstream sees others. */
export abstract class ResolvedMcpOptions {
  abstract readonly serverInfo: Implementation;
  abstract readonly emitServerInfo: boolean;
  abstract readonly instructions: string | undefined;
  abstract readonly path: string;
  abstract readonly allowedHosts: readonly string[] | undefined;
  abstract readonly allowedOrigins: readonly string[] | undefined;
  abstract readonly guards: readonly (CanActivate | Type<CanActivate>)[];
  abstract readonly limits: { readonly maxBodyBytes: number; readonly maxJsonDepth: number; readonly heartbeatMs: number };
  abstract readonly requestState: { readonly keys: KeyRing | undefined; readonly ttlMs: number; readonly maxLength: number };
  abstract readonly pageSize: number;
  abstract readonly forbiddenCode: number | undefined;
  abstract readonly exposeErrorMessages: boolean;
}

/** @throws McpDefinitionsError listing every option that is wrong */
export function resolveMcpOptions(options: McpModuleOptions, resolver: McpValueResolver): ResolvedMcpOptions {
  const faults: DefinitionFault[] = [];
  const check = checker(faults, resolver);
  const resolved: ResolvedMcpOptions = {
    serverInfo: serverInfo(options, check),
    emitServerInfo: options.serverInfo ?? true,
    instructions: options.instructions === undefined ? undefined : check.text('instructions', options.instructions),
    path: check.path(options.path ?? '/mcp'),
    allowedHosts: options.allowedHosts?.map((host) => check.text('allowedHosts', host)),
    allowedOrigins: options.allowedOrigins?.map((origin) => check.text('allowedOrigins', origin)),
    guards: options.guards ?? [],
    limits: {
      maxBodyBytes: check.positive('limits.maxBodyBytes', options.limits?.maxBodyBytes ?? 1024 * 1024),
      maxJsonDepth: check.positive('limits.maxJsonDepth', options.limits?.maxJsonDepth ?? 64),
      heartbeatMs: check.positive('limits.heartbeatMs', options.limits?.heartbeatMs ?? 15_000),
    },
    requestState: {
      keys: check.keys(options.requestState?.keys),
      ttlMs: check.duration('requestState.ttl', options.requestState?.ttl ?? 'PT10M'),
      maxLength: check.positive('requestState.maxLength', options.requestState?.maxLength ?? 65_536),
    },
    pageSize: check.positive('pageSize', options.pageSize ?? 50),
    forbiddenCode: options.forbiddenCode,
    exposeErrorMessages: options.exposeErrorMessages ?? false,
  };
  if (faults.length > 0) throw new McpDefinitionsError(faults);
  return Object.freeze(resolved);
}

function serverInfo(options: McpModuleOptions, check: ReturnType<typeof checker>): Implementation {
  return {
    name: check.text('name', options.name),
    version: check.text('version', options.version),
    ...(options.title === undefined ? {} : { title: check.text('title', options.title) }),
  };
}

function checker(faults: DefinitionFault[], resolver: McpValueResolver) {
  const fault = (option: string, problem: string, mend: string): void => void faults.push({ where: `McpModule ${option}`, problem, mend });
  const attempt = <T>(option: string, read: () => T, fallback: T): T => {
    try {
      return read();
    } catch (error) {
      fault(option, (error as Error).message, `Mend the option ${option}.`);
      return fallback;
    }
  };
  return {
    text(option: string, value: unknown): string {
      if (typeof value === 'string' && value !== '') return attempt(option, () => resolver.resolve(value), value);
      fault(option, 'it must be a text that is not empty', `Write ${option}: '…'.`);
      return '';
    },
    path(value: string): string {
      const path = this.text('path', value);
      if (!path.startsWith('/')) fault('path', `"${path}" does not begin with a slash`, `Write path: '/${path}'.`);
      return path;
    },
    positive(option: string, value: number): number {
      if (!Number.isSafeInteger(value) || value < 1)
        fault(option, `${value} is not a whole number above zero`, `Leave ${option} out for its default.`);
      return value;
    },
    keys: (ring: KeyRing | undefined): KeyRing | undefined =>
      attempt('requestState.keys', () => (ring && deriveKeys(ring), ring), undefined),
    duration: (option: string, value: string | number): number =>
      attempt(option, () => parseDuration(typeof value === 'string' ? resolver.resolve(value) : value), 1),
  };
}
