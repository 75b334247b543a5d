import type { JsonObject } from '../protocol/json.js';
import { acceptAnswer } from './accept-answer.js';
import type { LedgerSnapshot } from './ledger-entry.js';

/**
 * The conforming answers among `responses` to questions that stand open in `ledger`, by key. Keys that are unknown or answered, and answers that
 * do not conform, are left out and harm nothing (MCP basic "Multi round-trip requests"; tasks/update).
 */
export function conformingAnswers(ledger: LedgerSnapshot, responses: JsonObject): JsonObject {
  const answers: [string, JsonObject[string]][] = [];
  for (const entry of ledger) {
    if (entry.answered || !Object.hasOwn(responses, entry.key)) continue;
    const answer = acceptAnswer(entry, responses[entry.key]);
    if (answer !== undefined) answers.push([entry.key, answer]);
  }
  return Object.fromEntries(answers);
}

/** `ledger` with `answers` in their slots; slots that are answered already keep what they hold. */
export function answerLedger(ledger: LedgerSnapshot, answers: JsonObject): LedgerSnapshot {
  return ledger.map((entry) =>
    entry.answered || !Object.hasOwn(answers, entry.key) ? entry : { ...entry, answered: true, response: answers[entry.key]! },
  );
}
