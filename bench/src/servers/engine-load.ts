import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { McpResult } from '@mocapi/core';
import type { DispatchContext } from '@mocapi/core/extension';
import { taskKeyOf, TaskStore, TaskToolCallInterceptor } from '@mocapi/tasks';
import type { Load, LoadLength } from '../load/http-load.js';
import { bodyOf, headersOf, taskCall } from '../load/mcp-request.js';
import { ECHO_TEXT } from './echo-text.js';
import { inFlight } from './in-flight.js';
import { repeated, RepeatInterceptor } from './repeat.interceptor.js';

/** Tasks run in the order of their creation, so that the last ones of all places are the last to end. */
const LAST = 64;
const CALL = taskCall('task_echo', { text: ECHO_TEXT });

/** Creates tasks behind the dispatcher, without HTTP, until each has completed. */
export async function engineLoad(app: NestFastifyApplication, length: LoadLength): Promise<Load> {
  const store = app.get<TaskStore>(TaskStore, { strict: false });
  const calls = app.get(TaskToolCallInterceptor, { strict: false });
  const context = await oneContext(app);
  const last: string[] = [];
  const once = async () => {
    const result = await calls.intercept(repeated(context), () => Promise.reject(new Error('The call has not become a task')));
    last.push((result as McpResult & { taskId: string }).taskId);
    if (last.length > 2 * LAST) last.splice(0, LAST);
  };
  return inFlight({ once, drained: () => completed(store, last.slice(-LAST)) }, length);
}

async function oneContext(app: NestFastifyApplication): Promise<DispatchContext> {
  const context = app.get(RepeatInterceptor, { strict: false }).nextContext();
  const { port } = app.getHttpServer().address() as AddressInfo;
  const { status } = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers: headersOf(CALL), body: bodyOf(CALL) });
  if (status !== 200) throw new Error(`The call that is repeated was answered with ${status}`);
  return context;
}

async function completed(store: TaskStore, taskIds: readonly string[]): Promise<void> {
  for (const taskId of taskIds) {
    while ((await store.get(taskKeyOf(undefined, taskId)))?.status !== 'completed') await sleep(1);
  }
}
