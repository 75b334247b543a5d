import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { McpResult } from '@mocapi/core';
import { taskKeyOf, TaskStore } from '@mocapi/tasks';
import type { Load, LoadLength } from '../load/http-load.js';
import { bodyOf, headersOf, taskCall } from '../load/mcp-request.js';
import { ECHO_TEXT } from './echo-text.js';
import { inFlight } from './in-flight.js';
import { RepeatInterceptor } from './repeat.interceptor.js';

/** Tasks run in the order of their creation, so that the last ones of all places are the last to end. */
const LAST = 64;
const CALL = taskCall('task_echo', { text: ECHO_TEXT });

/** Creates tasks behind the dispatcher, without HTTP, until each has completed. */
export async function engineLoad(app: NestFastifyApplication, length: LoadLength): Promise<Load> {
  const store = app.get<TaskStore>(TaskStore, { strict: false });
  let last: string[] = [];
  const load = new Promise<Load>((resolve, reject) => {
    app.get(RepeatInterceptor, { strict: false }).withNextCall(async (next) => {
      const once = async () => {
        const { taskId } = (await next()) as McpResult & { taskId: string };
        last = [...last.slice(1 - LAST), taskId];
      };
      inFlight({ once, drained: () => completed(store, last) }, length).then(resolve, reject);
      return next();
    });
  });
  const { port } = app.getHttpServer().address() as AddressInfo;
  const { status } = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers: headersOf(CALL), body: bodyOf(CALL) });
  if (status !== 200) throw new Error(`The call that is repeated was answered with ${status}`);
  return load;
}

async function completed(store: TaskStore, taskIds: readonly string[]): Promise<void> {
  for (const taskId of taskIds) {
    while ((await store.get(taskKeyOf(undefined, taskId)))?.status !== 'completed') await sleep(1);
  }
}
