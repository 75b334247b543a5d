import { SetMetadata } from '@nestjs/common';

/** The seams that any provider of any module may fill, by lifecycle: `*-contributor` and `*-customizer` at start-up, `*-interceptor` per request. */
export type SeamKind =
  | 'dispatch-interceptor'
  | 'method-contributor'
  | 'subscription-contributor'
  | 'routed-param-contributor'
  | 'capabilities-customizer'
  | 'handler-customizer'
  | 'error-translator';

/** Where among its kind a seam stands. */
export interface SeamOptions {
  /** Lower is outermost (interceptors) or first (the rest). Default 0; equal orders keep the order of discovery. */
  readonly order?: number;
}

/** Metadata that `@McpSeam` stores on a class. */
export interface SeamMetadata {
  readonly kind: SeamKind;
  readonly order: number;
}

/** Metadata key of `@McpSeam`. */
export const SEAM_METADATA = 'mocapi:seams';

/** Marks a provider as filling a seam of the framework; it is found by discovery, whichever module provides it. May be repeated for several kinds. */
export function McpSeam(kind: SeamKind, options: SeamOptions = {}): ClassDecorator {
  return (target) => {
    const former: SeamMetadata[] = Reflect.getOwnMetadata(SEAM_METADATA, target) ?? [];
    SetMetadata(SEAM_METADATA, [...former, { kind, order: options.order ?? 0 }])(target);
  };
}
