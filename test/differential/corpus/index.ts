import type { RawRequest } from '../wire/raw-request.js';
import { calls } from './calls.js';
import type { Area, Case } from './case.js';
import { envelope } from './envelope.js';
import { hostile } from './hostile.js';
import { listening } from './listening.js';
import { messages } from './messages.js';
import { notifications, unknownMethods } from './notices.js';
import { olderClients } from './older.js';
import { rounds } from './rounds.js';
import { routing } from './routing.js';
import { completion, lists, prompts, resources } from './surface.js';
import { transport } from './transport.js';
import { versions } from './versions.js';

/** A case with its full name. */
export interface NamedCase extends Case {
  readonly area: string;
  readonly name: string;
}

const AREAS: Readonly<Record<string, Area>> = {
  transport,
  messages,
  hostile,
  envelope,
  versions,
  routing,
  lists,
  calls,
  rounds,
  prompts,
  resources,
  completion,
  listening,
  notifications,
  'unknown methods': unknownMethods,
  'older clients': olderClients,
};

/** Every request that was written by hand. */
export const CORPUS: readonly NamedCase[] = Object.entries(AREAS).flatMap(([area, cases]) =>
  Object.entries(cases).map(([name, entry]) => ({ area, name, ...(isRequest(entry) ? { request: entry } : entry) })),
);

function isRequest(entry: Case | RawRequest): entry is RawRequest {
  return 'verb' in entry;
}
