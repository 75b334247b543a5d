import type { DefinitionFault } from '../errors/definition-fault.js';
import type { JsonObject } from '../protocol/json.js';
import { pointerKeys, walkSchema, type SchemaPlace } from '../schema/schema-walk.js';

/** The keyword by which a property of a tool's input schema asks to be repeated in a header (MCP transports "Custom headers from tool parameters"). */
const PARAM_HEADER_KEYWORD = 'x-mcp-header';

/** An argument of a tool that clients repeat in the header `Mcp-Param-<header>`, for proxies to route by. */
export interface ParamHeader {
  /** As the schema writes it. */
  readonly header: string;
  /** Where the argument stands: the keys from the arguments inwards. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

/** An RFC 9110 token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'] satisfies ParamHeader['type'][];

/**
 * The headers that a tool's schema asks for. Each place that breaks a rule of the revision is a fault, since a client hides such a tool from its
 * user (MCP transports "Schema extension").
 */
export function paramHeaders(json: JsonObject, tool: { name: string; where: string }, faults: DefinitionFault[]): readonly ParamHeader[] {
  const first = new Map<string, string>();
  const headers: ParamHeader[] = [];
  for (const place of walkSchema(json)) {
    if (!Object.hasOwn(place.schema, PARAM_HEADER_KEYWORD)) continue;
    const problem = problemOf(place, first);
    if (problem === undefined) headers.push(toHeader(place));
    else faults.push(faultOf(tool, place, problem));
  }
  return headers;
}

/** Reports headers in a schema that no client repeats in headers: they would have no effect. */
export function refuseParamHeaders(json: JsonObject, where: string, faults: DefinitionFault[]): void {
  const place = [...walkSchema(json)].find(({ schema }) => Object.hasOwn(schema, PARAM_HEADER_KEYWORD));
  if (place === undefined) return;
  const problem = `its argument ${nameOf(place)} has ${PARAM_HEADER_KEYWORD}, which only arguments of tools may have`;
  faults.push({ where, problem, fix: 'Remove the header option, or give the arguments a class of their own.' });
}

function problemOf({ schema, pointer }: SchemaPlace, first: Map<string, string>): string | undefined {
  const header = schema[PARAM_HEADER_KEYWORD];
  if (pathOf(pointer) === undefined)
    return 'cannot be reached by properties alone: it is in a list, a union, a condition, $defs, or at the root';
  if (typeof header !== 'string' || !TOKEN.test(header))
    return `is ${JSON.stringify(header)}, which is not a valid header name (letters, digits and - are safe)`;
  if (!TYPES.includes(schema['type']))
    return `is on the type ${JSON.stringify(schema['type'] ?? 'none')}, but only string, integer and boolean can be headers`;
  const former = first.get(header.toLowerCase());
  if (former !== undefined) return `is ${JSON.stringify(header)}, which ${former} already uses`;
  first.set(header.toLowerCase(), nameOf({ pointer }));
  return undefined;
}

function faultOf({ name, where }: { name: string; where: string }, place: SchemaPlace, problem: string): DefinitionFault {
  return {
    where,
    problem: `the ${PARAM_HEADER_KEYWORD} of ${nameOf(place)} in the tool "${name}" ${problem}`,
    fix: "Write @McpArg('region', { header: 'Region' }) or @McpField({ header: 'Region' }) on one string, integer or boolean property for each header.",
  };
}

function toHeader({ schema, pointer }: SchemaPlace): ParamHeader {
  return { header: schema[PARAM_HEADER_KEYWORD] as string, path: pathOf(pointer)!, type: schema['type'] as ParamHeader['type'] };
}

/** The keys of properties that lead to a place, or undefined if anything else does. */
function pathOf(pointer: string): readonly string[] | undefined {
  const keys = pointerKeys(pointer);
  const leads = keys.length > 0 && keys.every((key, index) => index % 2 === 1 || key === 'properties');
  return leads ? keys.filter((_, index) => index % 2 === 1) : undefined;
}

function nameOf({ pointer }: { pointer: string }): string {
  const path = pathOf(pointer);
  return path === undefined ? `#${pointer}` : `"${path.join('.')}"`;
}
