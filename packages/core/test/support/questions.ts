import type { ElicitAnswer, McpToolContext } from '@mocapi/core';
import { z } from 'zod';

const yesOrNo = z.object({ ok: z.boolean() });

/** Asks a yes-or-no question under `key`. */
export function ask(ctx: McpToolContext, key: string): Promise<ElicitAnswer<{ ok: boolean }>> {
  return ctx.elicit(key, { message: `${key}?`, schema: yesOrNo });
}

/** Asks without a key of its own. */
export function askAnonymously(ctx: McpToolContext, message: string): Promise<ElicitAnswer<{ ok: boolean }>> {
  return ctx.elicit({ message, schema: yesOrNo });
}
