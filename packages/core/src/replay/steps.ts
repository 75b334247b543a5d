import { AsyncLocalStorage } from 'node:async_hooks';
import { toExactJsonValue } from '../protocol/to-json-value.js';
import type { JsonValue } from '../protocol/json.js';
import type { LedgerEntry } from './ledger.js';

/** Tells a step function that it is one; emptied when that has ended, so that a timer it leaves behind cannot keep the execution. */
interface StepScope {
  steps?: Steps;
}

const insideStep = new AsyncLocalStorage<StepScope>();

/** Hooks around a step. What either throws, the step throws. */
export interface StepHooks {
  /** Awaited before the step begins, unless it is undefined. */
  beforeStep(): Promise<void> | undefined;
  /** Stores the entry before the handler continues. */
  recordStep(entry: LedgerEntry): Promise<void>;
}

/** The recorded steps of one execution: each runs at most once in it, whichever pass asks first; a later pass joins one still running. */
export class Steps {
  private readonly running = new Map<string, Promise<JsonValue | undefined>>();
  private idleWaiters: (() => void)[] = [];

  constructor(private readonly hooks: StepHooks) {}

  /** Whether the caller stands inside a step function of this execution, where nothing may be asked: step and suspension would wait for each other. */
  get inside(): boolean {
    return insideStep.getStore()?.steps === this;
  }

  /** Whether the step at `key` was started and is not recorded yet. */
  isRunning(key: string): boolean {
    return this.running.has(key);
  }

  /** Runs `run` and records its JSON result under `key`, or joins the run of a former pass. */
  run(key: string, run: () => unknown): Promise<JsonValue | undefined> {
    const joined = this.running.get(key);
    if (joined) return joined;
    const step = this.execute(key, run).finally(() => this.ended(key));
    this.running.set(key, step);
    // The author's promise reports the failure; this one only keeps an unawaited step from ending the process.
    step.catch(() => undefined);
    return step;
  }

  /** Resolves when no step is in flight; undefined when none is now. */
  idle(): Promise<void> | undefined {
    if (this.running.size === 0) return undefined;
    return new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  private async execute(key: string, run: () => unknown): Promise<JsonValue | undefined> {
    const before = this.hooks.beforeStep();
    if (before) await before;
    const result = toExactJsonValue(await this.enter(run), `step "${key}"`);
    const entry = { key, kind: 'step', fingerprint: '', answered: true } as const;
    await this.hooks.recordStep(result === undefined ? entry : { ...entry, response: result });
    // A copy: the handler may change what it got, which must not change what is recorded.
    return toExactJsonValue(result, `step "${key}"`);
  }

  private async enter(run: () => unknown): Promise<unknown> {
    const scope: StepScope = { steps: this };
    try {
      return await insideStep.run(scope, run);
    } finally {
      delete scope.steps;
    }
  }

  private ended(key: string): void {
    this.running.delete(key);
    if (this.running.size > 0) return;
    for (const resolve of this.idleWaiters.splice(0)) resolve();
  }
}
