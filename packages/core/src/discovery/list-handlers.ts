import type { HandlerDefinition, HandlerKind } from './handler-definition.js';

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
