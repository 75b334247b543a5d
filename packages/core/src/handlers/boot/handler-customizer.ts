import type { HandlerDefinition, HandlerKind } from '../../discovery/handler-definition.js';
import type { CompiledSchema } from '../../schema/compiled-schema.js';
import type { HandlerInterceptor, HandlerStratum } from '../run/strata.js';

/** A handler at boot, open to be adjusted. */
export interface HandlerUnderConstruction {
  readonly kind: HandlerKind;
  readonly name: string;
  /** `Class.method`, as errors name it. */
  readonly where: string;
  readonly inputSchema: CompiledSchema;
  /** The future entry in the list of the handler's kind; may be edited in place, except for its name and its URI. */
  readonly descriptor: HandlerDefinition['descriptor'];
  /** Metadata of the author's method, or else of its class. */
  getMetadata(key: unknown): unknown;
  /** Attaches an interceptor, inside of those of the same stratum. */
  intercept(stratum: HandlerStratum, interceptor: HandlerInterceptor): void;
  /** Takes responsibility for the mark an extension's decorator left (`McpHandlerExtension`). */
  claim(decorator: string): void;
  /** Keeps what an extension needs to know of the handler later. */
  extend(key: unknown, value: unknown): void;
}

/**
 * Adjusts each handler once, at boot (`@McpSeam('handler-customizer')`).
 * A `DefinitionError` or `McpDefinitionsError` it throws is reported together with every other fault.
 */
export interface HandlerCustomizer {
  customize(handler: HandlerUnderConstruction): void | Promise<void>;
}
