import { invalidParams } from '../errors/mcp.error.js';

/** One page of a list, and where the next begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/** Which list is paged, and how. */
export interface Paging<T> {
  /** The list's own name: the cursor of another list is none of it. */
  readonly list: string;
  readonly pageSize: number;
  /** Returns the key that tells the entries apart. */
  readonly keyOf: (entry: T) => string;
}

/**
 * The page after `cursor` (MCP server/utilities/pagination). A cursor names the last entry that its client has seen,
 * not a position: entries that are added or removed before it while the client pages neither hide an entry nor repeat
 * one. If that entry itself is gone, or is not for this caller, the client must list again.
 * @throws McpError -32602 if the cursor names no entry of this list
 */
export function paginate<T>(all: readonly T[], cursor: unknown, { list, pageSize, keyOf }: Paging<T>): Page<T> {
  const start = cursor === undefined ? 0 : all.findIndex((entry) => encodeCursor(list, keyOf(entry)) === cursor) + 1;
  if (start === 0 && cursor !== undefined) throw invalidParams('Invalid cursor: list again without one');
  const end = start + pageSize;
  const items = all.slice(start, end);
  return end < all.length ? { items, nextCursor: encodeCursor(list, keyOf(items.at(-1)!)) } : { items };
}

function encodeCursor(list: string, key: string): string {
  return Buffer.from(JSON.stringify([list, key])).toString('base64url');
}
