import { Module } from '@nestjs/common';
import { McpModule, McpPrincipalSource } from '@mocapi/core';
import { McpTasksModule } from '@mocapi/tasks';
import { DemoUserSource } from './caller/demo-user.source.js';
import { ToolsModule } from './tools.module.js';

/** The demo: an MCP server whose long-running tools become tasks, all in memory. */
@Module({
  imports: [
    McpModule.forRoot({
      name: 'mocapi-demo',
      version: '0.0.0',
      title: 'mocapi demo',
      providers: [{ provide: McpPrincipalSource, useClass: DemoUserSource }],
    }),
    McpTasksModule.forRoot(),
    ToolsModule,
  ],
})
export class AppModule {}
