import type { ElicitAnswer, JsonObject, McpToolContext } from '@mocapi/core';
import { accept } from '@mocapi/testing';
import { z } from 'zod';

const yesOrNo = z.object({ ok: z.boolean() });

/** Asks a yes-or-no question under `key`. */
export function ask(ctx: McpToolContext, key: string, message = `${key}?`): Promise<ElicitAnswer<{ ok: boolean }>> {
  return ctx.elicit(key, { message, schema: yesOrNo });
}

/** Says yes under each of `keys`. */
export function yes(...keys: string[]): Record<string, JsonObject> {
  return Object.fromEntries(keys.map((key) => [key, accept({ ok: true })]));
}
