import type { DiscoveryService } from '@nestjs/core';
import { SEAM_METADATA, type SeamKind, type SeamMetadata } from './mcp-seam.decorator.js';

interface FilledSeam extends SeamMetadata {
  readonly instance: unknown;
}

/** What fills the seams of the framework in this application: every provider with `@McpSeam`, in any module. */
export class SeamRegistry {
  private readonly filled: readonly FilledSeam[];

  constructor(discovery: DiscoveryService) {
    const seen = new Set<unknown>();
    this.filled = discovery.getProviders().flatMap(({ instance, isAlias }) => {
      if (isAlias || typeof instance !== 'object' || instance === null || seen.has(instance)) return [];
      seen.add(instance);
      const seams = (Reflect.getMetadata(SEAM_METADATA, instance.constructor ?? Object) ?? []) as SeamMetadata[];
      return seams.map((seam) => ({ ...seam, instance }));
    });
  }

  /** The providers of one kind, lowest order first; equal orders as they were discovered. */
  of<T>(kind: SeamKind): T[] {
    return this.filled
      .filter((seam) => seam.kind === kind)
      .toSorted((one, other) => one.order - other.order)
      .map((seam) => seam.instance as T);
  }
}
