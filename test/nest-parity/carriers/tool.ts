import { takePass } from '../model/journal.js';
import { script } from '../model/surface.js';
import { endOfReply, observed } from './answers.js';
import type { Carrier } from './carrier.js';

/** `tools/call` of a tool that never becomes a task. */
export const tool: Carrier = {
  name: 'tool',
  obstacle: () => undefined,
  async run({ client }, { surface, input }) {
    script.asks = false;
    takePass();
    const reply = await client.callTool(surface.id, input.args, { headers: input.headers ?? {} });
    return observed([takePass()], endOfReply(reply), reply);
  },
};
