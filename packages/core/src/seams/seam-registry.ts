import type { DiscoveryService } from '@nestjs/core';
import { endpointsOf } from './endpoint.js';
import { SEAM_METADATA, type SeamKind, type SeamMetadata } from './mcp-seam.decorator.js';

interface FilledSeam extends SeamMetadata {
  readonly instance: unknown;
}

/** Finds the seams of one endpoint: every provider with `@McpSeam`, in any module, that belongs to no other endpoint. */
export class SeamRegistry {
  private readonly filled: readonly FilledSeam[];

  constructor(discovery: DiscoveryService, endpoint: string) {
    const seen = new Set<unknown>();
    this.filled = discovery.getProviders().flatMap((wrapper) => {
      const { instance, isAlias } = wrapper;
      if (isAlias || typeof instance !== 'object' || instance === null || seen.has(instance)) return [];
      if (endpointsOf(wrapper)?.includes(endpoint) === false) return [];
      seen.add(instance);
      const seams: SeamMetadata[] = Reflect.getMetadata(SEAM_METADATA, instance.constructor ?? Object) ?? [];
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
