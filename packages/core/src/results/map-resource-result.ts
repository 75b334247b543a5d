import { defined } from '../protocol/json.js';
import { base64Of, isBytes } from '../protocol/bytes.js';
import type { McpResult } from '../protocol/messages.js';
import { readContentsShape } from '../protocol/shapes/results.js';
import { toJsonValue } from '../protocol/to-json-value.js';
import { conforming, hasOnly } from './content.js';

/** The resource that was read. */
export interface ReadResource {
  /** As the request named it; stands in contents that say none. */
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string | undefined;
}

type Contents = Readonly<Record<string, unknown>>;

/** Keys that contents may have; an object with any other key is the author's own, and sent as JSON. */
const CONTENT_KEYS = new Set(['uri', 'mimeType', 'text', 'blob', '_meta']);
/** The members of a whole result; an object with anything else is the author's own too. */
const RESULT_KEYS = new Set(['contents', 'resultType', 'ttlMs', 'cacheScope', '_meta']);

/**
 * The wire form of a resource's return value (MCP server/resources "Reading resources"): a string is text, bytes are a blob, `{ text }` and `{ blob }` contents, an
 * array of these several contents; a `ReadResourceResult` is passed through; any other JSON value is its text, `application/json`.
 * @throws NotJsonError; NonconformingResultError; Error naming the resource whose method returned nothing or empty contents
 */
export function mapResourceResult(value: unknown, read: ReadResource): McpResult {
  return conforming(readResult(value, read), readContentsShape, read.name);
}

function readResult(value: unknown, read: ReadResource): McpResult {
  if (value === undefined || value === null)
    throw new Error(`The resource ${read.name} returned nothing: throw an error if the resource does not exist`);
  if (isReadResult(value)) {
    const { contents, ...rest } = value;
    return { ...(toJsonValue(rest, `the result of ${read.name}`) as object), resultType: 'complete', contents: several(contents, read) };
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isContents)) return complete(several(value, read));
  return complete([
    isContents(value)
      ? contentsOf(value, read)
      : { uri: read.uri, mimeType: read.mimeType ?? 'application/json', text: jsonText(value, read) },
  ]);
}

function complete(contents: readonly Contents[]): McpResult {
  return { resultType: 'complete', contents };
}

function several(items: readonly unknown[], read: ReadResource): Contents[] {
  if (items.length === 0)
    throw new Error(`The resource ${read.name} returned empty contents: throw an error if the resource does not exist`);
  return items.map((item) => contentsOf(item, read));
}

/** A text, bytes, or an object of the known keys with one of both; everything else is an author's own. */
function isContents(value: unknown): boolean {
  if (typeof value === 'string' || isBytes(value)) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { text, blob } = value as Contents;
  return (text !== undefined || blob !== undefined) && hasOnly(value, CONTENT_KEYS);
}

function contentsOf(value: unknown, read: ReadResource): Contents {
  const given = read.mimeType === undefined ? {} : { mimeType: read.mimeType };
  if (typeof value === 'string') return { uri: read.uri, ...given, text: value };
  if (isBytes(value)) return { uri: read.uri, mimeType: 'application/octet-stream', ...given, blob: base64Of(value) };
  if (!isContents(value)) throw new Error(`The resource ${read.name} returned contents with neither text nor blob`);
  const { blob, ...rest } = value as Contents;
  const json = toJsonValue(rest, `the result of ${read.name}`) as Contents;
  return { uri: read.uri, ...given, ...json, ...defined({ blob: isBytes(blob) ? base64Of(blob) : blob }) };
}

function isReadResult(value: unknown): value is { contents: unknown[] } {
  if (typeof value !== 'object' || value === null) return false;
  const { contents } = value as { contents?: unknown };
  return Array.isArray(contents) && contents.every(isContents) && hasOnly(value, RESULT_KEYS);
}

function jsonText(value: unknown, { name }: ReadResource): string {
  return JSON.stringify(toJsonValue(value, `the result of ${name}`));
}
