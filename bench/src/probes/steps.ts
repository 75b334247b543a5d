import { taskCall } from '../load/mcp-request.js';
import { median } from '../measure/statistics.js';
import { SUBJECTS } from '../rows/subjects.js';
import type { ProbeResult } from '../rows/row.js';
import { createTasks, untilStatus, withServer } from './with-subject.js';

const STEPS = 1000;
const STEPS_IN_MEMORY = 4000;
const BYTES = 100;
/** Early and late steps: what is sent is looked at after each of these. */
const WATCHED = [9, 19, 989, 999];

interface StepFigures {
  readonly stepMs: readonly number[];
  readonly sent: readonly number[];
}

/** A task of 1,000 small steps in Redis: the time of a late step by that of an early one, and the bytes a late step sends beyond its own result. */
export function stepGrowth(): Promise<ProbeResult> {
  return withServer(SUBJECTS['redis']!, async (server) => {
    await steps({ server, count: 200, watched: [] });
    const { stepMs, sent } = await steps({ server, count: STEPS, watched: WATCHED });
    const [, , before, after] = sent;
    return {
      time: median(stepMs.slice(980)) / median(stepMs.slice(5, 25)),
      bytes: (after! - before!) / 10 - JSON.stringify('x'.repeat(BYTES)).length,
    };
  });
}

/** A task of 4,000 small steps in memory: the time of a late step by that of an early one. */
export function stepGrowthInMemory(): Promise<ProbeResult> {
  return withServer(SUBJECTS['tasks']!, async (server) => {
    await steps({ server, count: 200, watched: [] });
    const { stepMs } = await steps({ server, count: STEPS_IN_MEMORY, watched: [] });
    return { time: median(stepMs.slice(-200)) / median(stepMs.slice(5, 205)) };
  });
}

async function steps({
  server,
  count,
  watched,
}: {
  server: Parameters<typeof createTasks>[0];
  count: number;
  watched: readonly number[];
}): Promise<StepFigures> {
  await server.subject.ask('watchSteps', watched);
  const [taskId] = await createTasks(server, taskCall('task_steps', { count, bytes: BYTES }), 1);
  await untilStatus(server, taskId!, 'completed');
  return server.subject.ask<StepFigures>('stepFigures');
}
