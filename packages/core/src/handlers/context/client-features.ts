import { missingCapabilities } from '../../envelope/client-capabilities.js';
import { missingCapability, type McpError } from '../../errors/mcp.error.js';
import type { ClientCapabilities } from '../../protocol/official.js';
import type { HandlerCall } from '../run/handler-call.js';

/** A feature of the client that a handler may use. `elicitation` is the form mode. */
export type ClientFeature = 'elicitation' | 'elicitation.url' | 'sampling' | 'sampling.tools' | 'sampling.context' | 'roots';

/** The capabilities that a client must declare for each feature (MCP basic "Capabilities"). */
const REQUIRED: Readonly<Record<ClientFeature, () => ClientCapabilities>> = {
  elicitation: () => ({ elicitation: { form: {} } }),
  'elicitation.url': () => ({ elicitation: { url: {} } }),
  sampling: () => ({ sampling: {} }),
  'sampling.tools': () => ({ sampling: { tools: {} } }),
  'sampling.context': () => ({ sampling: { context: {} } }),
  roots: () => ({ roots: {} }),
};

/** Whether the client declared the feature, on this request or the one that created the task. */
export function supportsFeature({ envelope }: HandlerCall, feature: ClientFeature): boolean {
  return missingCapabilities(envelope.clientCapabilities, REQUIRED[feature]()) === undefined;
}

/** @throws McpError -32021 naming what of the features the client did not declare, and nothing else */
export function requireFeatures(call: HandlerCall, features: readonly ClientFeature[]): void {
  for (const feature of features) requireCapabilities(call, REQUIRED[feature]());
}

/** @throws McpError -32021 naming what of `required` the client did not declare, and nothing else (MCP basic "Error codes") */
export function requireCapabilities(call: HandlerCall, required: ClientCapabilities): void {
  const missing = missingCapabilities(call.envelope.clientCapabilities, required);
  if (missing !== undefined) throw undeclared(call, missing);
}

function undeclared({ handler }: HandlerCall, missing: ClientCapabilities): McpError {
  return missingCapability(`"${handler.name}" needs a client that declares ${pathsOf(missing).join(', ')}`, missing);
}

/** `elicitation.url`, for a person to read. */
function pathsOf(capabilities: object): string[] {
  return Object.entries(capabilities).flatMap(([name, value]) => {
    const inner = typeof value === 'object' && value !== null ? pathsOf(value as object) : [];
    return inner.length === 0 ? [name] : inner.map((path) => `${name}.${path}`);
  });
}
