import type { ContentBlock } from '../protocol/official.js';

/** Whether `value` is one of the content blocks of the revision (MCP server/tools "Tool result"). */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (typeof value !== 'object' || value === null) return false;
  const block = value as Record<string, unknown>;
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string';
    case 'image':
    case 'audio':
      return typeof block.data === 'string' && typeof block.mimeType === 'string';
    case 'resource_link':
      return typeof block.uri === 'string' && typeof block.name === 'string';
    case 'resource':
      return typeof block.resource === 'object' && block.resource !== null;
    default:
      return false;
  }
}
