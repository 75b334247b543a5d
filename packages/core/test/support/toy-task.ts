import type { Admitted, LedgerEntry, ProgressUpdate, Admission, AdmissionState } from '@mocapi/core/extension';

/** A stand-in for the Tasks extension: an admission that keeps all it is given, and the task's carrier. */
export class ToyTask implements Admission {
  readonly admissions: AdmissionState[] = [];
  readonly recorded: LedgerEntry[] = [];
  readonly updates: ProgressUpdate[] = [];
  private readonly controller = new AbortController();

  constructor(
    readonly when: 'start' | 'manual' = 'start',
    /** What stands for the store's write, and for the place to run. */
    private readonly waits: { readonly stored?: () => Promise<void>; readonly ready?: Promise<void> } = {},
  ) {}

  get admitted(): number {
    return this.admissions.length;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  cancel(reason: unknown = 'cancelled'): void {
    this.controller.abort(reason);
  }

  async admit(state: AdmissionState): Promise<Admitted> {
    this.admissions.push(state);
    await this.waits.stored?.();
    const carrier = {
      signal: this.signal,
      progress: { report: (update: ProgressUpdate): void => void this.updates.push(update) },
      recorder: { record: async (entry: LedgerEntry): Promise<void> => void this.recorded.push(entry) },
    };
    return { carrier, ready: this.waits.ready ?? Promise.resolve() };
  }
}
