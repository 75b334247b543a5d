import { invalidParams } from '../errors/mcp.error.js';

/** One page of a list, and where the next begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

const CURSOR = /^[1-9]\d{0,8}$/;

/**
 * The page that `cursor` names (MCP server/utilities/pagination). A cursor is opaque to clients; past the end it gives an empty page.
 * @throws McpError -32602 when the cursor is not one that was handed out
 */
export function paginate<T>(all: readonly T[], cursor: unknown, pageSize: number): Page<T> {
  const start = cursor === undefined ? 0 : decodeCursor(cursor);
  const end = start + pageSize;
  const items = all.slice(start, end);
  return end < all.length ? { items, nextCursor: encodeCursor(end) } : { items };
}

function encodeCursor(offset: number): string {
  return Buffer.from(String(offset)).toString('base64url');
}

function decodeCursor(cursor: unknown): number {
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  if (!CURSOR.test(text) || encodeCursor(Number(text)) !== cursor) throw invalidParams('Invalid cursor: list again without one');
  return Number(text);
}
