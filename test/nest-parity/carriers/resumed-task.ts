import { accept, answerInput, pollTask } from '@mocapi/testing';
import { takePass } from '../model/journal.js';
import { script } from '../model/surface.js';
import { endOfReply, observed } from './answers.js';
import type { Carrier } from './carrier.js';
import { endOfTask, withHeaders } from './task.js';

/** A task that asks and goes on with the answer of `tasks/update`: the handler runs twice. */
export const resumedTask: Carrier = {
  name: 'resumed',
  leavesEarly: true,
  obstacle: () => undefined,
  async run(ground, { surface, input }) {
    script.asks = true;
    takePass();
    const headers = input.headers ?? {};
    const client = withHeaders(ground.client.withTasks(), headers);
    const reply = await ground.client.withTasks().callTool(`${surface.id}.task`, input.args, { headers });
    if (reply.result?.resultType !== 'task') return observed([takePass()], endOfReply(reply), reply);
    const taskId = reply.result.taskId!;
    const asking = await pollTask(client, taskId);
    const asked = takePass();
    if (asking.status !== 'input_required') return observed([asked], await endOfTask(client, reply, headers), reply);
    await answerInput(client, { taskId }, { q: accept({ a: 'yes' }) });
    const end = await endOfTask(client, reply, headers);
    return observed([asked, takePass()], end, reply);
  },
};
