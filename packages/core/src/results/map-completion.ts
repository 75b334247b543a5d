import { defined } from '../protocol/json.js';
import type { McpResult } from '../protocol/messages.js';

/**
 * Members that a completer may return besides the values: how many there are in all, and whether more follow (MCP
 * server/utilities/completion).
 */
export interface McpCompletion {
  /** Best first. At most 100 are sent. */
  readonly values: readonly string[];
  /** @default the number of `values`, unless `hasMore` says that there are others */
  readonly total?: number;
  /** @default whether `total` is more than are sent */
  readonly hasMore?: boolean;
}

const MAX_VALUES = 100;

/** The result of `completion/complete`: at most 100 values, with the true `total` and `hasMore`. @throws Error when it is no completion, whose text is for the log */
export function mapCompletion(value: readonly string[] | McpCompletion, where: string): McpResult {
  const { values, total, hasMore } = (Array.isArray(value) ? { values: value } : (value ?? {})) as Partial<McpCompletion>;
  const isCount = (total === undefined || (Number.isSafeInteger(total) && total >= 0)) && [true, false, undefined].includes(hasMore);
  if (!Array.isArray(values) || !values.every((item) => typeof item === 'string') || !isCount) {
    throw new Error(`${where} did not return a completion: return string[] or { values, total, hasMore }`);
  }
  const known = total ?? (hasMore === true ? undefined : values.length);
  const sent = values.slice(0, MAX_VALUES);
  const more = hasMore === true || values.length > sent.length || (known ?? 0) > sent.length;
  return { resultType: 'complete', completion: { values: sent, ...defined({ total: known }), hasMore: more } };
}
