import type { Difference } from './compare/differ.js';
import type { AcceptedDifference } from './compare/judge.js';

/** The most entries that the list may have. */
export const MOST_ACCEPTED = 25;

const saidByMcp = ({ mcp }: Difference): string => (typeof mcp === 'string' ? mcp : JSON.stringify(mcp));
const isEntered = ({ rest }: Difference): boolean => typeof rest === 'object' && rest !== null && 'answered' in rest;

/**
 * The differences between a route and a handler of MCP that are meant. A difference that is not here fails the run, and so does an entry that no row shows any
 * more. Translations that hold for every handler are in `compare/differ.ts` and need no entry.
 */
export const ACCEPTED: readonly AcceptedDifference[] = [
  {
    reason: 'A property that the schema cannot state is an error at startup',
    why: 'a tool is described to a model: a property with an uncertain type, a Map, a Set or a promise says nothing. `@McpField({ schema })` states it',
    facet: 'boot',
    where: (_place, difference) => /cannot be determined|can't be expressed|JSON does not have/.test(saidByMcp(difference)),
  },
  {
    reason: 'A value whose type differs from that of the property is rejected, even if no class-validator rule rejects it',
    why: 'the schema advertises one type and enforces it; a route trusts the declaration without a check',
    facet: 'outcome',
    where: (_place, difference) => isEntered(difference) && /must be [\w ,]+, not (?:an? |null)/.test(saidByMcp(difference)),
  },
  {
    reason: 'A discriminator that names no class is rejected',
    why: 'the schema is a union of the named classes; a route accepts a value of no class without validation',
    facet: 'outcome',
    where: ({ row }, difference) => isEntered(difference) && /^(?:a )?discriminated/.test(row),
  },
  {
    reason: 'Where the schema rejects, messages of a decorator, an exceptionFactory or a pipe of the author do not appear',
    why: "the schema is checked before any pipe and reports the mistake in each property; the author's messages appear once the schema accepts",
    facet: 'said',
    where: (_place, difference) =>
      /"said":\["Invalid arguments/.test(saidByMcp(difference)) && !/not of the route/.test(saidByMcp(difference)),
  },
  {
    reason: 'The handler gets an instance even if its ValidationPipe does not transform',
    why: 'an MCP handler always gets the type that its parameter declares; a route passes the plain body on',
    facet: 'received',
    where: ({ row }) => row === 'without transform',
  },
  {
    reason: 'A @Transform gets the argument of a prompt or a template as the string that was sent',
    why: 'the transformer decides what it accepts, so the schema takes any value and nothing converts the text first',
    facet: 'received',
    where: ({ row, carrier }) => row === '@Transform to a flag' && (carrier === 'prompt' || carrier === 'template'),
  },
  {
    reason: 'A guard that fails, or that answers 5xx, denies with 403',
    why: 'docs/guides/guards-and-identity.md: a defect denies, and reveals nothing about the server',
    facet: 'said',
    where: ({ row }) => row === '503' || row === 'a guard that fails',
  },
  {
    reason: 'An McpToolError does not reach exception filters',
    why: 'its text is for the model, and a filter written for HTTP would answer with its own',
    facet: /^count after, filter/,
    where: ({ row }) => row.includes('McpToolError'),
  },
  {
    reason: 'A header that is not in the list of response headers is not sent',
    why: 'docs/guides/guards-and-identity.md: an MCP answer is not an HTTP entity; the option `responseHeaders` adds more',
    facet: 'header etag',
    where: ({ row }) => row === 'an entity tag',
  },
  {
    reason: 'A task of a handler that a decorator opens cannot be read without a token',
    why: 'no handler of the application could carry the decorator for tasks/get, so the guards of the whole application require the token',
    facet: 'carrier',
    where: ({ row }) => row === 'an unprotected handler',
  },
];
