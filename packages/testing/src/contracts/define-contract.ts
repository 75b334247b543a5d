/** The two functions that Jest, Vitest and `node:test` have in common. */
export interface ContractRunner {
  describe(name: string, body: () => void): unknown;
  it(promise: string, body: () => Promise<void>): unknown;
}

/** One promise, and the check of it. */
export interface ContractCase<Fixture> {
  /** A sentence about the subject; the title of the test. */
  readonly promise: string;
  /** Resolves if the promise is kept, rejects if not. */
  readonly check: (fixture: Fixture) => Promise<void>;
}

/** Each case gets its own fixture. */
export interface ContractFixture<Fixture> {
  setUp(): Promise<Fixture>;
  tearDown(fixture: Fixture): Promise<void>;
}

/** A contract, ready to be run. */
export interface Contract<Fixture> {
  readonly name: string;
  readonly cases: readonly ContractCase<Fixture>[];
  readonly fixture: ContractFixture<Fixture>;
}

/** Turns the cases of a contract into the runner's tests. */
export function defineContract<Fixture>(runner: ContractRunner, contract: Contract<Fixture>): void {
  const { name, cases, fixture } = contract;
  runner.describe(name, () => {
    for (const { promise, check } of cases) {
      runner.it(promise, async () => {
        const subject = await fixture.setUp();
        try {
          await check(subject);
        } finally {
          await fixture.tearDown(subject);
        }
      });
    }
  });
}
