import { defined, type JsonValue, isJsonObject, type JsonObject } from '../protocol/json.js';
import { acceptElicitation } from './accept-elicitation.js';
import type { LedgerEntry, LedgerSnapshot } from './ledger.js';
import { isAbsoluteUri } from '../protocol/texts.js';
import type { InputRequest } from '../protocol/messages.js';

/**
 * The part of `raw` that answers the question in `entry`, or undefined: an answer that does not conform to the question
 * leaves it open. Answers carry no mark of their kind, so what was asked decides how they are read, never how they look
 * (MCP basic "Multi round-trip requests").
 */
export function acceptAnswer(entry: LedgerEntry, raw: unknown): JsonValue | undefined {
  switch (entry.kind) {
    case 'elicitation':
      return acceptElicitation(entry.request, raw);
    case 'sampling':
      return acceptSample(entry.request, raw);
    case 'roots':
      return acceptRoots(raw);
    case 'step':
      return undefined;
  }
}

/** The answer to a request for roots, or undefined when it does not conform: a list, maybe empty, of `file://` URIs (MCP client/roots "Data types"). */
export function acceptRoots(raw: unknown): JsonValue | undefined {
  if (!isJsonObject(raw) || !Array.isArray(raw.roots)) return undefined;
  const roots = raw.roots.map(acceptRoot);
  const sound = roots.filter((root) => root !== undefined);
  return sound.length < roots.length ? undefined : { roots: sound };
}

function acceptRoot(root: JsonValue): JsonObject | undefined {
  if (!isJsonObject(root)) return undefined;
  const { uri, name, _meta } = root;
  if (typeof uri !== 'string' || !/^file:\/\//i.test(uri) || !isAbsoluteUri(uri) || !URL.canParse(uri)) return undefined;
  if (name !== undefined && typeof name !== 'string') return undefined;
  return { uri, ...defined({ name, _meta: isJsonObject(_meta) ? _meta : undefined }) };
}

/**
 * The answer to a sampling request (MCP client/sampling "Response"), or undefined when it does not conform: who speaks, one block of content
 * or several, and the model that made it. A model calls tools only where the request offered some; the result of a tool is never its word.
 */
export function acceptSample(request: InputRequest | undefined, raw: unknown): JsonValue | undefined {
  if (!isJsonObject(raw)) return undefined;
  const { role, content, model, stopReason, _meta } = raw;
  if ((role !== 'assistant' && role !== 'user') || typeof model !== 'string') return undefined;
  if (stopReason !== undefined && typeof stopReason !== 'string') return undefined;
  const blocks = Array.isArray(content) ? content : [content];
  const offersTools = Array.isArray(request?.params?.tools);
  if (blocks.length === 0 || !blocks.every((block) => isSaid(block) || (offersTools && isToolUse(block)))) return undefined;
  return {
    role,
    content: content!,
    model,
    ...defined({ stopReason, _meta: isJsonObject(_meta) ? _meta : undefined }),
  };
}

function isSaid(block: JsonValue | undefined): boolean {
  if (!isJsonObject(block)) return false;
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string';
    case 'image':
    case 'audio':
      return typeof block.data === 'string' && typeof block.mimeType === 'string';
    default:
      return false;
  }
}

function isToolUse(block: JsonValue | undefined): block is JsonObject {
  return (
    isJsonObject(block) &&
    block.type === 'tool_use' &&
    typeof block.id === 'string' &&
    typeof block.name === 'string' &&
    isJsonObject(block.input)
  );
}

/**
 * The conforming answers among `responses` to questions that stand open in `ledger`, by key. Keys that are unknown or answered, and answers that
 * do not conform, are left out and harm nothing (MCP basic "Multi round-trip requests"; tasks/update).
 */
export function conformingAnswers(ledger: LedgerSnapshot, responses: JsonObject): JsonObject {
  const answers: [string, JsonObject[string]][] = [];
  for (const entry of ledger) {
    if (entry.answered || !Object.hasOwn(responses, entry.key)) continue;
    const answer = acceptAnswer(entry, responses[entry.key]);
    if (answer !== undefined) answers.push([entry.key, answer]);
  }
  return Object.fromEntries(answers);
}

/** `ledger` with `answers` in their slots; slots that are answered already keep what they hold. */
export function answerLedger(ledger: LedgerSnapshot, answers: JsonObject): LedgerSnapshot {
  return ledger.map((entry) =>
    entry.answered || !Object.hasOwn(answers, entry.key) ? entry : { ...entry, answered: true, response: answers[entry.key]! },
  );
}
