import type { ServerCapabilities } from '../../protocol/official.js';

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

/** Capabilities for `initialize` where nothing is remembered between requests: no change notifications, no subscriptions, no log level. */
export function legacyCapabilities({ tools, prompts, resources, completions }: ServerCapabilities): ServerCapabilities {
  return {
    ...(tools && { tools: {} }),
    ...(prompts && { prompts: {} }),
    ...(resources && { resources: {} }),
    ...(completions && { completions: {} }),
  };
}
