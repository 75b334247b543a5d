import { accept } from '@mocapi/testing';
import { telling } from '../compare/http-headers.js';
import { takePass } from '../model/journal.js';
import { script } from '../model/surface.js';
import { endOfReply, observed } from './answers.js';
import type { Carrier } from './carrier.js';

/** A call that asks and is sent again with the answer and its `requestState`: the handler runs twice. */
export const wireReplay: Carrier = {
  name: 'replay',
  obstacle: () => undefined,
  async run({ client }, { surface, input }) {
    script.asks = true;
    takePass();
    const headers = input.headers ?? {};
    const name = `${surface.id}.task`;
    const first = await client.callTool(name, input.args, { headers });
    const asked = takePass();
    const { resultType, requestState } = first.result ?? {};
    if (resultType !== 'input_required' || requestState === undefined) return observed([asked], endOfReply(first), first);
    const second = await client.callTool(name, input.args, { headers, requestState, inputResponses: { q: accept({ a: 'yes' }) } });
    const seen = observed([asked, takePass()], endOfReply(second), second);
    // What a guard counts it counts again for the second request, so its headers are those of the first.
    return { ...seen, headers: { ...seen.headers, ...telling(first.headers) } };
  },
};
