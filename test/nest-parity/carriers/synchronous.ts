import { takePass } from '../model/journal.js';
import { script } from '../model/surface.js';
import { endOfReply, observed } from './answers.js';
import type { Carrier } from './carrier.js';

/** `tools/call` of a tool that could become a task, by a client that has no tasks. */
export const synchronous: Carrier = {
  name: 'sync',
  obstacle: () => undefined,
  async run({ client }, { surface, input }) {
    script.asks = false;
    takePass();
    const reply = await client.callTool(`${surface.id}.task`, input.args, { headers: input.headers ?? {} });
    return observed([takePass()], endOfReply(reply), reply);
  },
};
