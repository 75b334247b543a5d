import type { ContractRunner } from './define-contract.js';

/** The result of checking one promise. */
export interface ContractOutcome {
  readonly promise: string;
  /** Why it is broken; absent if it is kept. */
  readonly error?: unknown;
}

/**
 * Runs a contract without a test framework and returns the broken promises, to test the contract itself.
 */
export class CollectingRunner implements ContractRunner {
  private readonly tests: { readonly promise: string; readonly body: () => Promise<void> }[] = [];

  // Arrow functions, so that both can be passed without the runner.
  readonly describe = (_name: string, body: () => void): void => body();

  readonly it = (promise: string, body: () => Promise<void>): void => void this.tests.push({ promise, body });

  /** Runs all, one after the other. */
  async run(): Promise<readonly ContractOutcome[]> {
    const outcomes: ContractOutcome[] = [];
    for (const { promise, body } of this.tests) {
      outcomes.push(
        await body().then(
          () => ({ promise }),
          (error: unknown) => ({ promise, error }),
        ),
      );
    }
    return outcomes;
  }

  /** Runs all, and returns the promises that are broken. */
  async brokenPromises(): Promise<readonly string[]> {
    return (await this.run()).filter(({ error }) => error !== undefined).map(({ promise }) => promise);
  }
}
