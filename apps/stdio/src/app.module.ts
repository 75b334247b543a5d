import { Module } from '@nestjs/common';
import { McpModule } from '@mocapi/core';
import { McpTasksModule } from '@mocapi/tasks';
import { FolderTools } from './folder.tools.js';

/** The example: one server for one client on this machine. */
@Module({
  imports: [McpModule.forRoot({ name: 'mocapi-stdio', version: '0.0.0', title: 'mocapi on stdio' }), McpTasksModule.forRoot()],
  providers: [FolderTools],
})
export class AppModule {}
