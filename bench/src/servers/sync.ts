import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { McpModule } from '@mocapi/core';
import { EchoTools } from './echo.tools.js';
import { listenNest } from './listen.js';
import { longestHold, watchLoop } from './loop-watch.js';

// Tools with nothing around them.
@Module({ imports: [McpModule.forRoot({ name: 'bench', version: '1.0.0' })], providers: [EchoTools] })
class SyncModule {}

await listenNest(SyncModule, () => ({ watchLoop, longestHold }));
