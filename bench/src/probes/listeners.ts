import { EventStream } from '../load/event-stream.js';
import { taskCall, taskListen } from '../load/mcp-request.js';
import { SUBJECTS } from '../rows/subjects.js';
import type { ProbeResult } from '../rows/row.js';
import { ECHO_TEXT } from '../servers/echo-text.js';
import { createTasks, withServer, type ProbeServer } from './with-subject.js';

const FEW = 100;
const MANY = 1000;
const WAIT = taskCall('task_wait', { text: ECHO_TEXT });

interface Costs {
  readonly open: number;
  readonly push: number;
}

/** CPU of opening a stream on a task, and of telling it the end, for each of 1,000 streams by each of 100. */
export function listeners(): Promise<ProbeResult> {
  return withServer(SUBJECTS['tasks']!, async (server) => {
    await costsOf(server, FEW);
    const few = await costsOf(server, FEW);
    const many = await costsOf(server, MANY);
    return { open: many.open / few.open, push: many.push / few.push };
  });
}

/** In microseconds for each stream. */
async function costsOf(server: ProbeServer, count: number): Promise<Costs> {
  const { subject } = server;
  const [taskId] = await createTasks(server, WAIT, 1);
  const listen = taskListen(taskId!);
  const before = await subject.cpu();
  const streams = await Promise.all(Array.from({ length: count }, () => EventStream.open(subject.port, listen)));
  await Promise.all(streams.map((stream) => stream.arrival('"working"')));
  const opened = await subject.cpu();
  const ends = streams.map((stream) => stream.arrival('"status":"completed"'));
  await subject.ask('finish');
  await Promise.all(ends);
  const told = await subject.cpu();
  for (const stream of streams) stream.close();
  return { open: (opened - before) / count, push: (told - opened) / count };
}
