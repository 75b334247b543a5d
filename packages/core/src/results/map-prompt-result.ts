import { defined } from '../protocol/json.js';
import type { McpResult } from '../protocol/messages.js';
import type { PromptMessage } from '../protocol/official.js';
import { promptResultShape } from '../protocol/shapes/results.js';
import { toJsonValue } from '../protocol/to-json-value.js';
import { conforming, isContentBlock } from './content.js';
import { text } from './content-builders.js';

/** The prompt whose method returned something. */
export interface ReturningPrompt {
  readonly name: string;
  /** Stands in the result unless the method returned a whole `GetPromptResult`. */
  readonly description?: string | undefined;
}

/**
 * The wire form of a prompt's return value (MCP server/prompts "Getting a prompt"): a string or a content block is one message of the user, a `PromptMessage`
 * itself, an array any of these in order; a `GetPromptResult` is passed through.
 * @throws NotJsonError; NonconformingResultError; Error naming the prompt whose value is none of these, whose text is for the log
 */
export function mapPromptResult(value: unknown, { name, description }: ReturningPrompt): McpResult {
  const json: unknown = toJsonValue(value, `the result of ${name}`);
  const result = isPromptResult(json) ? json : messagesOf(json, { name, description });
  return conforming({ ...result, resultType: 'complete' }, promptResultShape, name);
}

function messagesOf(json: unknown, { name, description }: ReturningPrompt): object {
  const messages = (Array.isArray(json) ? json : [json]).map((item) => messageOf(item, name));
  return { ...defined({ description }), messages };
}

function messageOf(item: unknown, name: string): PromptMessage {
  if (typeof item === 'string') return { role: 'user', content: text(item) };
  if (isContentBlock(item)) return { role: 'user', content: item };
  if (isPromptMessage(item)) return item;
  throw new Error(
    `The prompt ${name} did not return a prompt: return a string, a content block, a message { role, content }, or an array of these`,
  );
}

function isPromptResult(value: unknown): value is { messages: PromptMessage[] } {
  return typeof value === 'object' && value !== null && Array.isArray((value as { messages?: unknown }).messages);
}

/** Meant as a message: its mistakes are found when the whole result is checked. */
function isPromptMessage(value: unknown): value is PromptMessage {
  return typeof value === 'object' && value !== null && 'role' in value && 'content' in value;
}
