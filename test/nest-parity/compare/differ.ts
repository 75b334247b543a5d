import type { Observation } from './observation.js';
import { isArgumentRefusal, missingMeaning, type RefusalTerms } from './refusal.js';
import type { Pass } from '../model/journal.js';

/** One thing that REST and MCP do differently. */
export interface Difference {
  /** `outcome`, `received`, `answer`, `said`, `http status`, `count <spy>`, `header <name>`, `boot`. */
  readonly facet: string;
  readonly rest: unknown;
  readonly mcp: unknown;
}

/** What about a carrier and its row the comparison must know. */
export interface Terms extends RefusalTerms {
  readonly leavesEarly: boolean;
}

/**
 * The differences between a route and one carrier. What is translated and so is no difference: a refusal of the handler is a result with `isError`, or a JSON-RPC
 * error of a prompt or read; both come with HTTP status 200; a guard's refusal has its status as the code and says no more than that. Arguments that do not fit their
 * schema are refused before any pipe runs, so then it does not count how often pipes and transformers ran.
 */
export function differ(route: Observation, mcp: Observation, terms: Terms): Difference[] {
  const inEnd = differInEnd(route, mcp, terms);
  if (inEnd.some(({ facet }) => facet === 'outcome')) return inEnd;
  return [...inEnd, ...differInPasses(route, mcp), ...differInHeaders(route, mcp, terms)];
}

function differInEnd(route: Observation, mcp: Observation, terms: Terms): Difference[] {
  const [right, seen] = [route.end, mcp.end];
  if (right.kind === 'answered' && seen.kind === 'answered') return changed('answer', right.answer ?? '', seen.answer ?? '');
  if (right.kind === 'answered' || seen.kind === 'answered') return [{ facet: 'outcome', rest: summary(route), mcp: summary(mcp) }];
  const missing = missingMeaning(right, seen, terms);
  if (missing.length === 0) return [];
  const rest = right.said.length > 0 ? right.said : right.code;
  return [{ facet: 'said', rest, mcp: { missing, said: seen.said, code: seen.code } }];
}

function differInPasses(route: Observation, mcp: Observation): Difference[] {
  const [right] = route.passes;
  if (!right || isArgumentRefusal(mcp.end)) return [];
  return mcp.passes.flatMap((pass, index) => differInPass(right, pass, index < mcp.passes.length - 1));
}

/** @param isSuspended the handler asked in this pass: nothing that comes after it ran */
function differInPass(right: Pass, seen: Pass, isSuspended: boolean): Difference[] {
  const names = [...new Set([...Object.keys(right.counts), ...Object.keys(seen.counts)])];
  const counted = names.filter((name) => !(isSuspended && name.startsWith('after')));
  return [
    ...changed('received', right.received.join(' | '), seen.received.join(' | ')),
    ...counted.flatMap((name) => changed(`count ${name}`, right.counts[name] ?? 0, seen.counts[name] ?? 0)),
  ];
}

function differInHeaders(route: Observation, mcp: Observation, { leavesEarly }: Terms): Difference[] {
  if (leavesEarly && route.passes[0]?.received.length !== 0) return [];
  const names = [...new Set([...Object.keys(route.headers), ...Object.keys(mcp.headers)])];
  return names.flatMap((name) => changed(`header ${name}`, route.headers[name], mcp.headers[name]));
}

function changed(facet: string, rest: unknown, mcp: unknown): Difference[] {
  return same(rest, mcp) ? [] : [{ facet, rest, mcp }];
}

/** Whether both are the same JSON; a text that MCP shows is the JSON of what a route sends. */
function same(rest: unknown, mcp: unknown): boolean {
  const text = JSON.stringify(rest);
  return text === JSON.stringify(mcp) || (typeof rest === 'object' && text === mcp);
}

function summary({ end, httpStatus }: Observation): unknown {
  return end.kind === 'answered' ? { answered: end.answer } : { refused: end.code ?? 'isError', http: httpStatus, said: end.said };
}
