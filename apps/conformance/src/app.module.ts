import { Module } from '@nestjs/common';
import { McpModule } from '@mocapi/core';
import { McpTasksModule } from '@mocapi/tasks';
import { AskingTaskTools } from './tools/asking-task.tools.js';
import { ContentTools } from './tools/content.tools.js';
import { InputRequiredTools } from './tools/input-required.tools.js';
import { SchemaTools } from './tools/schema.tools.js';
import { StatelessTools } from './tools/stateless.tools.js';
import { TaskTools } from './tools/task.tools.js';

/** Every fixture of the official suite that works: what does not work yet is not there, so that nothing is advertised before it works. */
@Module({
  imports: [McpModule.forRoot({ name: 'mocapi-conformance', version: '0.0.0' }), McpTasksModule.forRoot()],
  providers: [ContentTools, StatelessTools, SchemaTools, InputRequiredTools, TaskTools, AskingTaskTools],
})
export class AppModule {}
