import type { ValidationError } from 'class-validator';
import type { SchemaIssue } from '../compiled-schema.js';
import { boundIssues, formatPath } from '../schema-issues.js';

const MAX_MESSAGE = 300;

/** Says class-validator's errors as issues: one for each failed decorator, nested ones under their path. */
export function issuesFromClassValidator(errors: readonly ValidationError[]): readonly SchemaIssue[] {
  return boundIssues(errors.flatMap((error) => flatten(error, [])));
}

function flatten(error: ValidationError, above: readonly PropertyKey[]): SchemaIssue[] {
  const keys = [...above, /^\d+$/.test(error.property) ? Number(error.property) : error.property];
  const path = formatPath(keys);
  // An author's own message may hold `$value`, which may be long.
  const own = Object.values(error.constraints ?? {}).map((message) => ({ path, message: message.slice(0, MAX_MESSAGE) }));
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, keys))];
}
