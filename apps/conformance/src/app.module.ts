import { Module } from '@nestjs/common';
import { McpModule } from '@mocapi/core';
import { McpTasksModule } from '@mocapi/tasks';
import { FixturePrompts } from './surface/fixture.prompts.js';
import { FixtureResources } from './surface/fixture.resources.js';
import { AskingTaskTools } from './tools/asking-task.tools.js';
import { ContentTools } from './tools/content.tools.js';
import { InputRequiredTools } from './tools/input-required.tools.js';
import { OtherInputsTools } from './tools/other-inputs.tools.js';
import { SchemaTools } from './tools/schema.tools.js';
import { StatelessTools } from './tools/stateless.tools.js';
import { TaskTools } from './tools/task.tools.js';
import { TriggerTools } from './tools/trigger.tools.js';

/** Every fixture of the official suite that works: what does not work yet is not there, so that nothing is advertised before it works. */
@Module({
  imports: [McpModule.forRoot({ name: 'mocapi-conformance', version: '0.0.0', logging: true }), McpTasksModule.forRoot()],
  providers: [
    ContentTools,
    StatelessTools,
    SchemaTools,
    InputRequiredTools,
    OtherInputsTools,
    TaskTools,
    AskingTaskTools,
    TriggerTools,
    FixturePrompts,
    FixtureResources,
  ],
})
export class AppModule {}
