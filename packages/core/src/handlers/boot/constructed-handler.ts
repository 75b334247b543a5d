import { defined } from '../../protocol/json.js';
import type { HandlerExtensionMark } from '../../decorators/handler-metadata.js';
import type { FoundHandler } from '../../discovery/find-handlers.js';
import type { HandlerDefinition, HandlerKind, ResourceCache } from '../../discovery/handler-definition.js';
import type { ParamHeader } from '../../discovery/param-headers.js';
import type { DefinitionFault } from '../../errors/definition-fault.js';
import type { CompiledSchema } from '../../schema/compiled-schema.js';
import { methodOf } from '../../nest/metadata.js';
import { HandlerStrata, type HandlerInterceptor, type HandlerStratum } from '../run/strata.js';

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

/** Parts from which a handler is made. */
export interface HandlerParts {
  readonly kind: HandlerKind;
  readonly found: FoundHandler;
  readonly descriptor: HandlerDefinition['descriptor'];
  readonly inputSchema: CompiledSchema;
  readonly outputSchema?: CompiledSchema;
  readonly paramHeaders?: readonly ParamHeader[];
  readonly cache?: ResourceCache;
}

/** A handler at boot, while customizers may still adjust it. */
export class ConstructedHandler implements HandlerUnderConstruction {
  readonly name: string;
  readonly strata = new HandlerStrata();
  private readonly claims = new Set<string>();
  private readonly extensions = new Map<unknown, unknown>();

  constructor(private readonly parts: HandlerParts) {
    this.name = parts.descriptor.name;
  }

  get kind(): HandlerKind {
    return this.parts.kind;
  }

  get where(): string {
    return this.parts.found.where;
  }

  get descriptor(): HandlerDefinition['descriptor'] {
    return this.parts.descriptor;
  }

  get inputSchema(): CompiledSchema {
    return this.parts.inputSchema;
  }

  getMetadata(key: unknown): unknown {
    const { found } = this.parts;
    return (Reflect.getMetadata(key, methodOf(found)) ?? Reflect.getMetadata(key, found.classRef)) as unknown;
  }

  intercept(stratum: HandlerStratum, interceptor: HandlerInterceptor): void {
    this.strata.add(stratum, interceptor);
  }

  claim(decorator: string): void {
    this.claims.add(decorator);
  }

  extend(key: unknown, value: unknown): void {
    this.extensions.set(key, value);
  }

  /** Marks of extensions that nothing in the application took responsibility for. */
  unclaimed(marks: readonly HandlerExtensionMark[]): DefinitionFault[] {
    const left = marks.filter(({ decorator }) => !this.claims.has(decorator));
    return left.map(({ decorator, fix }) => ({ where: this.where, problem: `no imported module handles ${decorator}`, fix }));
  }

  definition(): HandlerDefinition {
    const { kind, descriptor, inputSchema, outputSchema, paramHeaders, cache } = this.parts;
    return Object.freeze({
      kind,
      name: this.name,
      descriptor: Object.freeze({ ...descriptor, name: this.name }),
      inputSchema,
      ...defined({ outputSchema, paramHeaders, cache }),
      where: this.where,
      extensions: this.extensions,
    }) as HandlerDefinition;
  }
}
