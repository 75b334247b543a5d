import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { McpModule } from '@mocapi/core';
import { McpTasksModule } from '@mocapi/tasks';
import { listenNest } from './listen.js';
import { TaskTools } from './task.tools.js';
import { BENCH_TASKS } from './tasks-settings.js';

// Tasks in memory.
@Module({ imports: [McpModule.forRoot({ name: 'bench', version: '1.0.0' }), McpTasksModule.forRoot(BENCH_TASKS)], providers: [TaskTools] })
class TasksModule {}

await listenNest(TasksModule);
