import { takePass } from '../model/journal.js';
import { script } from '../model/surface.js';
import { asTexts, textNames } from '../model/text-arguments.js';
import { endOfReply, observed } from './answers.js';
import type { Carrier } from './carrier.js';
import { textObstacle } from './texts.js';

/** `prompts/get`. */
export const prompt: Carrier = {
  name: 'prompt',
  obstacle: (trip, route) => textObstacle(trip, route) ?? (textNames(trip.surface.row).length === 0 ? 'no argument at all' : undefined),
  async run({ client }, { surface, input }) {
    script.asks = false;
    takePass();
    const params = { name: surface.id, arguments: asTexts(surface.row, input.args)! };
    const reply = await client.request('prompts/get', params, { headers: input.headers ?? {} });
    return observed([takePass()], endOfReply(reply), reply);
  },
};
