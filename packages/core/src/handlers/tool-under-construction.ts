import type { HandlerExtensionMark } from '../decorators/handler-metadata.js';
import type { FoundHandler } from '../discovery/find-handlers.js';
import type { ToolDefinition } from '../discovery/tool-definition.js';
import type { DefinitionFault } from '../errors/definition-fault.js';
import type { Tool } from '../protocol/official.js';
import type { CompiledSchema } from '../schema/compiled-schema.js';
import type { HandlerUnderConstruction } from './handler-customizer.js';
import { methodOf } from './prepare-handler.js';
import type { HandlerInterceptor, HandlerStrata, HandlerStratum } from './strata.js';

/** What a tool is being made of. */
export interface ToolParts {
  readonly found: FoundHandler;
  readonly descriptor: Tool;
  readonly inputSchema: CompiledSchema;
  readonly outputSchema?: CompiledSchema;
  readonly strata: HandlerStrata;
}

/** A tool at boot, while customizers may still adjust it. */
export class ToolUnderConstruction implements HandlerUnderConstruction {
  readonly kind = 'tool';
  readonly name: string;
  private readonly claims = new Set<string>();
  private readonly extensions = new Map<unknown, unknown>();

  constructor(private readonly parts: ToolParts) {
    this.name = parts.descriptor.name;
  }

  get where(): string {
    return this.parts.found.where;
  }

  get descriptor(): Tool {
    return this.parts.descriptor;
  }

  get inputSchema(): CompiledSchema {
    return this.parts.inputSchema;
  }

  get strata(): HandlerStrata {
    return this.parts.strata;
  }

  getMetadata(key: unknown): unknown {
    const { found } = this.parts;
    return (Reflect.getMetadata(key, methodOf(found)) ?? Reflect.getMetadata(key, found.classRef)) as unknown;
  }

  intercept(stratum: HandlerStratum, interceptor: HandlerInterceptor): void {
    this.parts.strata.add(stratum, interceptor);
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
    return left.map(({ decorator, mend }) => ({ where: this.where, problem: `nothing in the application handles ${decorator}`, mend }));
  }

  definition(): ToolDefinition {
    const { descriptor, inputSchema, outputSchema } = this.parts;
    return Object.freeze({
      kind: 'tool',
      name: this.name,
      descriptor: Object.freeze({ ...descriptor, name: this.name }),
      inputSchema,
      ...(outputSchema ? { outputSchema } : {}),
      where: this.where,
      extensions: this.extensions,
    });
  }
}
