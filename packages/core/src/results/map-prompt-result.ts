import type { McpResult } from '../protocol/messages.js';
import type { ContentBlock, PromptMessage } from '../protocol/official.js';
import { toJsonValue } from '../protocol/to-json-value.js';
import { text } from './content-builders.js';
import { isContentBlock } from './content.js';

/** The prompt whose method returned something. */
export interface ReturningPrompt {
  readonly name: string;
  /** Stands in the result unless the method returned a whole `GetPromptResult`. */
  readonly description?: string | undefined;
}

/**
 * What a prompt's return value is on the wire (MCP server/prompts "Getting a prompt"): a string or a content block is one message of the user, a `PromptMessage`
 * itself, an array any of these in order; a `GetPromptResult` is passed through.
 * @throws NotJsonError; Error naming the prompt whose value is none of these, whose text is for the log
 */
export function mapPromptResult(value: unknown, { name, description }: ReturningPrompt): McpResult {
  const json: unknown = toJsonValue(value, `the result of ${name}`);
  if (isPromptResult(json)) return { ...json, resultType: 'complete' };
  const messages = (Array.isArray(json) ? json : [json]).map((item) => messageOf(item, name));
  return { resultType: 'complete', ...(description === undefined ? {} : { description }), messages };
}

function messageOf(item: unknown, name: string): PromptMessage {
  if (typeof item === 'string') return { role: 'user', content: text(item) };
  if (isContentBlock(item)) return { role: 'user', content: item };
  if (isPromptMessage(item)) return item;
  throw new Error(
    `The prompt ${name} returned what is no prompt: return a text, a content block, a message { role, content }, or an array of these`,
  );
}

function isPromptResult(value: unknown): value is { messages: PromptMessage[] } {
  if (typeof value !== 'object' || value === null) return false;
  const { messages } = value as { messages?: unknown };
  return Array.isArray(messages) && messages.every(isPromptMessage);
}

function isPromptMessage(value: unknown): value is PromptMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { role, content } = value as { role?: unknown; content?: ContentBlock };
  return (role === 'user' || role === 'assistant') && isContentBlock(content);
}
