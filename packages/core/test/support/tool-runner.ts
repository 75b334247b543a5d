import type { JsonObject, McpPrincipal } from '@mocapi/core';
import {
  CallRunner,
  type CallOutcome,
  type Admission,
  type HandlerInvocation,
  type LedgerSnapshot,
  type ProgressUpdate,
  type StepRecorder,
} from '@mocapi/core/extension';
import { answerLedger } from '@mocapi/core/internal';
import type { McpTestingApp } from '@mocapi/testing';

/** What differs for one execution. */
export interface RunOptions {
  readonly arguments?: JsonObject;
  readonly ledger?: LedgerSnapshot;
  readonly admission?: Admission;
  readonly signal?: AbortSignal;
  readonly principal?: McpPrincipal | null;
  readonly request?: object;
  readonly isTask?: boolean;
  readonly trigger?: HandlerInvocation['trigger'];
  readonly recorder?: StepRecorder;
  readonly updates?: ProgressUpdate[];
  readonly capabilities?: HandlerInvocation['envelope']['clientCapabilities'];
}

/** One execution of a tool, off any request. */
export async function run({ app }: Pick<McpTestingApp, 'app'>, toolName: string, options: RunOptions = {}): Promise<CallOutcome> {
  const calls = app.get(CallRunner, { strict: false });
  const tool = calls.tools.byKey.get(toolName);
  if (!tool) throw new Error(`No tool "${toolName}"`);
  return calls.run({
    target: { kind: 'tool', name: tool.name, handler: tool, arguments: options.arguments ?? {} },
    ledger: options.ledger ?? [],
    envelope: { protocolVersion: '2026-07-28', clientCapabilities: options.capabilities ?? { elicitation: {} } },
    trigger: options.trigger ?? 'call',
    request: options.request ?? { headers: {} },
    carrier: {
      signal: options.signal ?? new AbortController().signal,
      progress: { report: (update) => void options.updates?.push(update) },
      ...(options.recorder ? { recorder: options.recorder } : {}),
    },
    ...(options.principal === undefined ? {} : { principal: options.principal }),
    ...(options.isTask === undefined ? {} : { isTask: options.isTask }),
    ...(options.admission ? { admission: options.admission } : {}),
  });
}

/** The keys that an execution left unanswered; fails when it ended in another way. */
export function askedBy(outcome: CallOutcome): string[] {
  if (outcome.kind !== 'inputRequired') throw new Error(`Expected questions, the execution ended with ${JSON.stringify(outcome)}`);
  return Object.keys(outcome.requests);
}

/** What an execution left in its ledger. */
export function ledgerOf(outcome: CallOutcome): LedgerSnapshot {
  if (outcome.kind === 'failed') throw outcome.error;
  return outcome.ledger;
}

/** The ledger for the next execution: every question that stands open is answered with yes. */
export function allAnswered(outcome: CallOutcome): LedgerSnapshot {
  const answers = Object.fromEntries(askedBy(outcome).map((key) => [key, { action: 'accept', content: { ok: true } }]));
  return answerLedger(ledgerOf(outcome), answers);
}

/** Runs a tool until it asks no more, with every question answered by yes. */
export async function runToEnd(testing: Pick<McpTestingApp, 'app'>, toolName: string, options: RunOptions = {}): Promise<CallOutcome> {
  let outcome = await run(testing, toolName, options);
  for (let round = 0; outcome.kind === 'inputRequired' && round < 5; round++) {
    outcome = await run(testing, toolName, { ...options, ledger: allAnswered(outcome) });
  }
  return outcome;
}

/** What a tool returned: its text, its structured content, or the error. */
export function valueOf(outcome: CallOutcome): unknown {
  if (outcome.kind === 'failed') return outcome.error;
  if (outcome.kind === 'inputRequired') return askedBy(outcome);
  const { content, structuredContent } = outcome.result;
  return structuredContent ?? (content as { text?: string }[]).map(({ text }) => text).join('\n');
}
