import { Logger } from '@nestjs/common';
import type { HandlerDefinition, HandlerKind } from '../discovery/handler-definition.js';

/** The names of one kind that the line shows; an application may have hundreds. */
const MAX_NAMES = 20;

const KINDS: readonly (readonly [HandlerKind, string, string])[] = [
  ['tool', 'tool', 'tools'],
  ['prompt', 'prompt', 'prompts'],
  ['resource', 'resource', 'resources'],
  ['resource-template', 'resource template', 'resource templates'],
];

/** Says at startup how many handlers of each kind were found, and their names: a name that is missing was not found. */
export function listHandlers(handlers: readonly Pick<HandlerDefinition, 'kind' | 'name'>[]): string {
  if (handlers.length === 0)
    return 'No handlers found: list the classes with @McpTool, @McpPrompt or @McpResource in the providers of a module';
  const parts = KINDS.map(([kind, one, many]) => {
    const names = handlers.filter((handler) => handler.kind === kind).map(({ name }) => name);
    if (names.length === 0) return '';
    const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
    return `${names.length} ${names.length === 1 ? one : many} (${names.slice(0, MAX_NAMES).join(', ')}${more})`;
  });
  return parts.filter((part) => part !== '').join(', ');
}

/** The first release of each line in which hashes cannot be flooded by the names of headers and JSON members. */
const FIXED: Readonly<Record<number, readonly [minor: number, patch: number]>> = { 20: [20, 2], 22: [22, 2], 24: [14, 1] };

let wasSaid = false;

/** Warns once in a process when its Node is open to hash flooding: one request can then hold the event loop for long. */
export function warnOfNode(version: string = process.versions.node): void {
  if (wasSaid || !isFloodable(version)) return;
  wasSaid = true;
  new Logger('McpModule').warn(`Node ${version} is open to hash flooding by requests: update to 20.20.2, 22.22.2, 24.14.1 or later`);
}

/** Whether a release of Node has the fault. Lines without long support before 25 have it in all of theirs. */
export function isFloodable(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const fixed = FIXED[major];
  if (!fixed) return major < 25;
  return minor < fixed[0] || (minor === fixed[0] && patch < fixed[1]);
}
