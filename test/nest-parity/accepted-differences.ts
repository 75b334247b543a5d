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
    reason: 'A property that the schema cannot state stops the boot',
    why: 'a tool is described to a model: a property without a certain type, a Map, a Set or a promise says nothing. `@McpField({ schema })` says it',
    facet: 'boot',
    where: (_place, difference) => /not certain|can't be stated|JSON does not have/.test(saidByMcp(difference)),
  },
  {
    reason: 'A value of another type than the property has is refused, though no rule of class-validator refuses it',
    why: 'the schema advertises one type, and what is advertised is enforced; a route trusts the declaration without looking',
    facet: 'outcome',
    where: (_place, difference) => isEntered(difference) && /must be [\w ,]+, not (?:an? |null)/.test(saidByMcp(difference)),
  },
  {
    reason: 'A discriminator that names no class is refused',
    why: 'the schema is a union of the named classes; a route lets a value of no class through unvalidated',
    facet: 'outcome',
    where: ({ row }, difference) => isEntered(difference) && /^(?:a )?discriminated/.test(row),
  },
  {
    reason: 'Where the schema refuses, what a decorator, an exceptionFactory or a pipe of the author says is not said',
    why: 'the schema is asked before any pipe and says what is wrong with each property; the author is heard when it has nothing to object',
    facet: 'said',
    where: (_place, difference) =>
      /"said":\["Invalid arguments/.test(saidByMcp(difference)) && !/not of the route/.test(saidByMcp(difference)),
  },
  {
    reason: 'A ValidationPipe that does not transform leaves the handler an instance',
    why: 'a handler of MCP always gets what its parameter declares; a route hands the plain body on',
    facet: 'received',
    where: ({ row }) => row === 'without transform',
  },
  {
    reason: 'A @Transform gets the argument of a prompt or a template as the text that was sent',
    why: 'the transformer decides what comes in, so the schema takes any value and nothing reads the text back',
    facet: 'received',
    where: ({ row, carrier }) => row === '@Transform to a flag' && (carrier === 'prompt' || carrier === 'template'),
  },
  {
    reason: 'A guard that fails, or that answers 5xx, denies with 403',
    why: 'docs/guides/guards-and-identity.md: a defect denies, and tells nothing of the server',
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
    reason: 'A header that the list of response headers does not name stays behind',
    why: 'docs/guides/guards-and-identity.md: an answer of MCP is no entity of HTTP; the option `responseHeaders` names more',
    facet: 'header etag',
    where: ({ row }) => row === 'an entity tag',
  },
  {
    reason: 'A task of a handler that a decorator opens cannot be read without a token',
    why: 'tasks/get has no handler of the application that could carry the decorator, so the guards of the whole application ask for the token',
    facet: 'carrier',
    where: ({ row }) => row === 'an unprotected handler',
  },
];
