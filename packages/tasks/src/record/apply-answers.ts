import type { JsonObject } from '@mocapi/core';
import type { RunClaim, TaskRecord } from './task-record.js';
import { answered, working } from './task-transitions.js';

/**
 * Applies `tasks/update` to a record. `answers` were validated against the questions; answers that did not conform are
 * not among them.
 * - Only outstanding keys are taken, each once: the first answer stays. All others, and every key of a task that asks nothing, are ignored.
 * - The task leaves `input_required` when its last open question is answered, and then is `working` under a run of `claim`.
 * - If nothing was taken, the same object is returned.
 *
 * A store may run this several times, so a caller learns from the record that came back, and from nothing else, what it brought about:
 * it executes the task if `run.id` is its `claim.id`; the answers taken from it are those with `answeredBy` equal to `claim.id`.
 */
export function applyAnswers(record: TaskRecord, answers: JsonObject, claim: RunClaim): TaskRecord {
  const next = answered(record, answers, claim.id);
  return next === record ? record : working(next, claim);
}
