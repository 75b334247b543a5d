/** The bounds that hold for every store, as the module's `limits` set them. */
export interface TaskStoreBounds {
  /** Bytes of one record as JSON; a larger one rejects with `TaskRecordTooLargeError`. */
  readonly maxRecordBytes: number;
  /** Tasks of one caller (see `accountOf`), those that have ended included; a further one rejects with `TaskQuotaError`. */
  readonly maxStoredPerPrincipal: number;
}

/** Bytes of one record, unless a store or the module says otherwise. */
export const DEFAULT_MAX_RECORD_BYTES = 4 * 2 ** 20;

/** Stored tasks of one caller, unless a store or the module says otherwise. */
export const DEFAULT_MAX_STORED_PER_PRINCIPAL = 10_000;
