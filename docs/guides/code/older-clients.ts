import { Module } from '@nestjs/common';
import { McpModule } from '@mocapi/core';

// #region reject
@Module({ imports: [McpModule.forRoot({ name: 'video', version: '1.0.0', legacy: 'reject' })] })
export class CurrentClientsModule {}
// #endregion reject
