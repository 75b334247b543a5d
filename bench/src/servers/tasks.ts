import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { McpModule } from '@mocapi/core';
import { type InMemoryTaskStore, McpTasksModule, TaskStore, taskKeyOf } from '@mocapi/tasks';
import { McpTasksRedisModule } from '@mocapi/tasks-redis';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { LoadLength } from '../load/http-load.js';
import { engineLoad } from './engine-load.js';
import { Finish } from './finish.js';
import { listenNest } from './listen.js';
import { sweepCost } from './sweep-cost.js';
import { RepeatInterceptor } from './repeat.interceptor.js';
import { inputBytes } from './redis-input-bytes.js';
import { TaskTools } from './task.tools.js';
import { BENCH_TASKS } from './tasks-settings.js';

const redis = process.env['BENCH_STORE'] === 'redis' ? process.env['BENCH_REDIS'] : undefined;
const MANY_LISTENERS = { maxListens: 10_000, maxListensPerPrincipal: 10_000 };
let watched: number[] = [];
const interceptors = process.env['BENCH_ENGINE'] === 'yes' ? [RepeatInterceptor] : [];

// Tasks, in memory or in Redis.
@Module({
  imports: [
    McpModule.forRoot({ name: 'bench', version: '1.0.0', limits: MANY_LISTENERS, providers: interceptors }),
    McpTasksModule.forRoot(BENCH_TASKS),
    ...(redis === undefined ? [] : [McpTasksRedisModule.forRoot({ url: redis, keyPrefix: process.env['BENCH_PREFIX'] ?? 'bench:' })]),
  ],
  providers: [TaskTools, Finish],
})
class TasksModule {}

await listenNest(TasksModule, (app: NestFastifyApplication) => {
  const finish = app.get(Finish);
  const store = app.get<TaskStore>(TaskStore, { strict: false });
  const record = (taskId: string) => store.get(taskKeyOf(undefined, taskId));
  return {
    finish: () => finish.now(),
    sleepers: () => finish.sleepers(),
    sweep: (count: number) => sweepCost(store as InMemoryTaskStore, count),
    /** Bytes of a task's record as JSON. */
    recordBytes: async (taskId: string) => Buffer.byteLength(JSON.stringify(await record(taskId))),
    /** Notes what has been sent to Redis by then, after each of these steps. */
    watchSteps: (steps: readonly number[]) => {
      finish.stepMs = [];
      const sent: number[] = [];
      finish.afterStep = async (index) => {
        if (steps.includes(index)) sent.push(await inputBytes());
      };
      watched = sent;
    },
    stepFigures: () => ({ stepMs: finish.stepMs, sent: watched }),
    engine: (length: LoadLength) => engineLoad(app, length),
  };
});
