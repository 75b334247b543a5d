import type { HandlerKind, HandlerDefinition } from './handler-definition.js';
import type { DefinitionFault } from '../errors/definition-fault.js';
import { shapeOf } from './check-addresses.js';

/** A handler's name, its URI or template if it has one, and the method that bears them. */
export interface NamedHandler {
  readonly kind: HandlerKind;
  readonly name: string;
  readonly address?: string;
  /** A second key that must be unique besides the address: templates that match the same URIs have the same shape. */
  readonly shape?: string;
  readonly where: string;
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const DECORATORS: Record<HandlerKind, string> = {
  tool: '@McpTool',
  prompt: '@McpPrompt',
  resource: '@McpResource',
  'resource-template': '@McpResourceTemplate',
};
const WORDS: Record<HandlerKind, string> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  'resource-template': 'resource template',
};

/**
 * Reports names that the revision does not allow (MCP server/tools "Tool names"), and names, URIs and templates that
 * two handlers of one kind share, each with both places.
 */
export function checkNames(handlers: readonly NamedHandler[]): DefinitionFault[] {
  const first = new Map<string, NamedHandler>();
  return handlers.flatMap((handler) => {
    const identity = handler.shape ?? handler.address ?? handler.name;
    const former = first.get(`${handler.kind} ${identity}`);
    if (!former) first.set(`${handler.kind} ${identity}`, handler);
    return former ? [...invalidName(handler), taken(handler, former)] : invalidName(handler);
  });
}

function invalidName({ kind, name, where }: NamedHandler): DefinitionFault[] {
  if (kind !== 'tool' || NAME.test(name)) return [];
  const fix = `Give it another name: ${DECORATORS[kind]}({ name: '…' }).`;
  return [{ where, problem: `the ${WORDS[kind]} name "${name}" is not 1 to 128 of A-Z a-z 0-9 _ . -`, fix }];
}

function taken({ kind, name, address, where }: NamedHandler, former: NamedHandler): DefinitionFault {
  const what = address === undefined ? `name "${name}"` : `URI "${address}"`;
  const option = address === undefined ? 'name' : kind === 'resource' ? 'uri' : 'uriTemplate';
  return {
    where,
    problem: `the ${WORDS[kind]} ${what} is already used by ${former.where}`,
    fix: `Give one of them another ${address === undefined ? 'name' : 'URI'}: ${DECORATORS[kind]}({ ${option}: '…' }).`,
  };
}

/** The keys of an existing handler that no other handler may have. */
export function namedHandler(definition: HandlerDefinition): NamedHandler {
  const { kind, name, where } = definition;
  switch (definition.kind) {
    case 'tool':
    case 'prompt':
      return { kind, name, where };
    case 'resource':
      return { kind, name, where, address: definition.descriptor.uri };
    case 'resource-template': {
      const { uriTemplate } = definition.descriptor;
      return { kind, name, where, address: uriTemplate, shape: shapeOf(uriTemplate) };
    }
  }
}
