import { Method } from '../../protocol/vocabulary.js';
import type { HandlerCall } from '../run/handler-call.js';
import { requireFeature, type Asked } from './ask-client.js';

/** A page for the user to open (MCP client/elicitation, URL mode). */
export interface ElicitUrlOptions {
  /** Why the page is to be opened, for a person to read. */
  readonly message: string;
  /**
   * Absolute, `https:` outside of development. It holds nothing secret about the user and signs nobody in, and it must be the same in every
   * execution of the call: make a number in it in a step.
   */
  readonly url: string;
}

/** The user's answer to a page to open. `accept` is the consent to open it, and says nothing about what came of it. */
export interface ElicitUrlAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/** Asks by URL. */
export function elicitUrl({ message, url }: ElicitUrlOptions, call: HandlerCall): Asked<ElicitUrlAnswer> {
  requireFeature(call, 'elicitation.url');
  assertOpenable(url);
  const request = { method: Method.Elicit, params: { mode: 'url', message, url } };
  return { kind: 'elicitation', request, read: (answer) => answer as unknown as ElicitUrlAnswer };
}

/** Whatever a client may open without a second thought. The URL itself is not repeated: it may be the user's business. */
function assertOpenable(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['https:', 'http:'].includes(parsed.protocol))
    throw new TypeError('The url of an elicitation must be absolute and begin with https:// or http://');
  if (parsed.username !== '' || parsed.password !== '')
    throw new TypeError('The url of an elicitation must not hold a user name or password');
}
