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

/** What the comparison of two refusals must know of the row. */
export interface RefusalTerms {
  /** What an error of the body says, where the route's answer leaves it out. */
  readonly original?: string | undefined;
  /** The names of properties as clients send them, and as the class calls them. */
  readonly renamed?: Readonly<Record<string, string>> | undefined;
  /** The argument that is a whole parameter: a route names what is in it from there, MCP from the arguments down. */
  readonly param?: string | undefined;
}

/** What of a route's refusal is missing in MCP's, or stands in it without being the route's. Empty where both mean the same. */
export function missingMeaning(route: Refused, mcp: Refused, terms: RefusalTerms): string[] {
  const { original } = terms;
  const text = mcp.said.join('\n');
  if (isDenial(mcp.code)) return denial(route, mcp);
  if (INTERNAL.test(route.said.join()) && original === undefined) return INTERNAL.test(text) ? [] : ['Internal error'];
  const isUntold = route.said.length === 0 || (original !== undefined && INTERNAL.test(route.said.join()));
  const messages = isUntold ? [original ?? STATUS_CODES[route.code ?? 0] ?? ''] : route.said;
  return isArgumentRefusal(mcp) ? missingInSchema(messages, text, terms) : messages.filter((message) => !text.includes(message));
}

/** A denial has the same status, and says no more than what that status means. */
function denial(route: Refused, mcp: Refused): string[] {
  const meaning = STATUS_CODES[route.code ?? 0] ?? '';
  return [...(route.code === mcp.code ? [] : [`status ${route.code}`]), ...(mcp.said[0] === meaning ? [] : [`message ${meaning}`])];
}

/**
 * The schema refuses first, in its own words: every property that it names must be one that the route refuses, too. What class-validator alone refuses is said
 * when the schema has nothing to object. A message of the author names no property and must be there as it is.
 */
function missingInSchema(messages: readonly string[], text: string, { renamed = {}, param }: RefusalTerms): string[] {
  const paths = messages.map(pathOfMessage);
  const untold = messages.filter((message, index) => paths[index] === undefined && !text.includes(message));
  // A message of the author may be about any property.
  const refused = paths.map((path) => path ?? '');
  const foreign = pathsOfIssues(text).map((path) => renamed[path] ?? withinParameter(path, param));
  return [...untold, ...foreign.filter((path) => !refused.some((other) => covers(path, other))).map((path) => `not of the route: ${path}`)];
}

function withinParameter(path: string, param: string | undefined): string {
  if (path === param) return '';
  return path.startsWith(`${param}.`) ? path.slice(`${param}.`.length) : path;
}

/** A missing or malformed object may be named in place of what is in it, and the other way round. */
function covers(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`) || one === '' || other === '';
}

/** The property that a message of class-validator begins with. Rows name none with a capital: that begins a sentence of the author or of Nest. */
export function pathOfMessage(message: string): string | undefined {
  const date = /^(?:minimal|maximal) allowed date for ([\w.$-]+) is /.exec(message);
  if (date) return date[1];
  const match =
    /^(?:nested property |property |each value in nested property |(?:[\w.$-]+\.)?each value in |All )?([a-z_$][\w$-]*(?:\.[\w$-]+)*)/.exec(
      message,
    );
  const nested = /^([\w.$-]+)\.each value in (?:nested property )?([\w$-]+)/.exec(message);
  if (nested) return nested[2] === nested[1]?.split('.').at(-1) ? nested[1] : `${nested[1]}.${nested[2]}`;
  const path = match?.[1];
  return path === undefined || !/\b(?:must|should|does|is|an?|has|contains|elements|not)\b|'s/.test(message) ? undefined : path;
}

/** The properties that MCP's issues name, one a line: `path: message`. */
function pathsOfIssues(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => /^\s*-?\s*([^\s:]+): /.exec(line)?.[1] ?? []);
  return [...new Set(lines.map((path) => path.replaceAll(/\[(\w+)\]/g, '.$1')))];
}
