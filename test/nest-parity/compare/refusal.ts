import { STATUS_CODES } from 'node:http';
import type { End } from './observation.js';

type Refused = Extract<End, { kind: 'refused' }>;

/** The text by which MCP refuses arguments that do not fit their schema. */
const ARGUMENTS = /^(?:Invalid arguments|Invalid params)/i;
const INTERNAL = /Internal (?:server )?error/i;
/** Codes of JSON-RPC errors that say how a handler failed. A guard's denial has an HTTP status as its code. */
const isDenial = (code: number | undefined): boolean => code !== undefined && code >= 400 && code < 500;

/** Whether the schema refused the arguments, before any pipe. */
export function isArgumentRefusal(end: End): boolean {
  return end.kind === 'refused' && ARGUMENTS.test(end.said[0] ?? '');
}

/** What of a route's refusal is missing in MCP's, or stands in it without being the route's. Empty where both mean the same. */
export function missingMeaning(route: Refused, mcp: Refused, original: string | undefined): string[] {
  const text = mcp.said.join('\n');
  if (isDenial(mcp.code)) return denial(route, mcp);
  if (INTERNAL.test(route.said.join()) && original === undefined) return INTERNAL.test(text) ? [] : ['Internal error'];
  const messages = route.said.length > 0 ? route.said : [original ?? STATUS_CODES[route.code ?? 0] ?? ''];
  return ARGUMENTS.test(text) ? missingPaths(messages, mcp.said) : messages.filter((message) => !text.includes(message));
}

/** A denial has the same status, and says no more than what that status means. */
function denial(route: Refused, mcp: Refused): string[] {
  const meaning = STATUS_CODES[route.code ?? 0] ?? '';
  return [...(route.code === mcp.code ? [] : [`status ${route.code}`]), ...(mcp.said[0] === meaning ? [] : [`message ${meaning}`])];
}

/**
 * The schema refuses in its own words, so what must agree is which properties are refused. A message that the author wrote names no property and must be
 * there as it is.
 */
function missingPaths(messages: readonly string[], said: readonly string[]): string[] {
  const text = said.join('\n');
  const named = pathsOfIssues(text);
  return messages.filter((message) => {
    if (text.includes(message)) return false;
    const path = pathOfMessage(message);
    return path === undefined || ![...named].some((other) => covers(other, path));
  });
}

/** A missing or malformed object may be named in place of what is in it, and the other way round. */
function covers(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`) || one === '';
}

/** The property that a message of class-validator begins with. */
export function pathOfMessage(message: string): string | undefined {
  const match =
    /^(?:nested property |property |each value in nested property |(?:[\w.$-]+\.)?each value in |All )?([\w$-]+(?:\.[\w$-]+)*)/.exec(
      message,
    );
  const nested = /^([\w.$-]+)\.each value in (?:nested property )?([\w$-]+)/.exec(message);
  if (nested) return nested[2] === nested[1]?.split('.').at(-1) ? nested[1] : `${nested[1]}.${nested[2]}`;
  const path = match?.[1];
  return path === undefined || !/\b(?:must|should|does|is|an?|has|contains|elements|not)\b|'s/.test(message) ? undefined : path;
}

/** The properties that MCP's issues name, one a line: `path: message`. */
function pathsOfIssues(text: string): Set<string> {
  const lines = text.split('\n').flatMap((line) => /^\s*-?\s*([^\s:]+): /.exec(line)?.[1] ?? []);
  return new Set(
    lines.map((path) =>
      path
        .replace(/^\//, '')
        .replaceAll(/\[(\w+)\]/g, '.$1')
        .replaceAll('/', '.'),
    ),
  );
}
