import { takePass } from '../model/journal.js';
import { script } from '../model/surface.js';
import { asTexts, textNames } from '../model/text-arguments.js';
import { endOfReply, observed } from './answers.js';
import type { Carrier } from './carrier.js';
import { textObstacle } from './texts.js';

/** `resources/read` of a template whose variables are the arguments. */
export const template: Carrier = {
  name: 'template',
  obstacle(trip, route) {
    const names = textNames(trip.surface.row);
    const unnamed = Object.keys(trip.input.args).some((name) => !names.includes(name));
    return textObstacle(trip, route) ?? (unnamed || names.length === 0 ? 'an argument that no variable can be' : undefined);
  },
  async run({ client }, { surface, input }) {
    script.asks = false;
    takePass();
    const query = Object.entries(asTexts(surface.row, input.args)!).map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
    const uri = `parity://${surface.id}${query.length > 0 ? `?${query.join('&')}` : ''}`;
    const reply = await client.request('resources/read', { uri }, { headers: input.headers ?? {} });
    return observed([takePass()], endOfReply(reply), reply);
  },
};
