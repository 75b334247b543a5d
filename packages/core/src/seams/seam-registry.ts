import type { DiscoveryService } from '@nestjs/core';
import { endpointsOf } from './endpoint.js';
import { SEAM_METADATA, type SeamKind, type SeamMetadata } from './mcp-seam.decorator.js';

interface FilledSeam extends SeamMetadata {
  readonly instance: unknown;
}

/** Finds the seams of one endpoint: every provider with `@McpSeam`, in any module, that belongs to no other endpoint. */
export class SeamRegistry {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly endpoint: string,
  ) {}

  /** The providers of one kind, lowest order first; equal orders as they were discovered. Those that are there now: ask once all are made. */
  of<T>(kind: SeamKind): T[] {
    return this.filled()
      .filter((seam) => seam.kind === kind)
      .toSorted((one, other) => one.order - other.order)
      .map((seam) => seam.instance as T);
  }

  private filled(): FilledSeam[] {
    const seen = new Set<unknown>();
    return this.discovery.getProviders().flatMap((wrapper) => {
      const { instance, isAlias } = wrapper;
      if (isAlias || typeof instance !== 'object' || instance === null || seen.has(instance)) return [];
      if (endpointsOf(wrapper)?.includes(this.endpoint) === false) return [];
      seen.add(instance);
      const seams: SeamMetadata[] = Reflect.getMetadata(SEAM_METADATA, instance.constructor ?? Object) ?? [];
      return seams.map((seam) => ({ ...seam, instance }));
    });
  }
}
