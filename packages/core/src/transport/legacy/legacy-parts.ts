import type { EndpointGate } from '../../dispatch/endpoint-gate.js';
import type { MessageDispatcher } from '../../dispatch/message-dispatcher.js';
import type { Implementation, ServerCapabilities } from '../../protocol/official.js';

/** Data about a tool that an older revision needs, besides its entry in the list. */
export interface LegacyTool {
  /** The extension without which the tool cannot be called; no client of an older revision has it. */
  readonly requiredExtension?: string;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

/** Sources of the answers to clients of the 2025 revisions: the same dispatch, guards and handlers as for every other client. */
export interface LegacyParts {
  readonly dispatcher: MessageDispatcher;
  readonly gate: EndpointGate;
  readonly serverInfo: Implementation;
  readonly instructions: string | undefined;
  /** Those of `server/discover`. */
  readonly capabilities: ServerCapabilities;
  /** Finds a tool by its name; undefined if there is none. */
  readonly tool: (name: string) => LegacyTool | undefined;
}

/** `reject`, or what they are answered from. */
export type LegacyEra = 'reject' | LegacyParts;

/**
 * The methods of the 2025 revisions that go through dispatch, as they have the same name and the same params in both eras. What the official server answers by
 * itself (`initialize`, `ping`) is not among them, and `tasks/*` of revision 2025-11-25 is not served.
 */
const DISPATCHED: ReadonlySet<string> = new Set([
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
]);

/** Whether a method of an older revision is answered by dispatch. */
export function isDispatched(method: string): boolean {
  return DISPATCHED.has(method);
}
