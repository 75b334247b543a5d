import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { McpModule, McpRegistrar } from '@mocapi/core';
import { listenNest } from './listen.js';
import { addTools, manyTools } from './many-tools.js';

const count = Number(process.env['BENCH_TOOLS']);

// So many tools that the list is what counts, all in one page.
@Module({ imports: [McpModule.forRoot({ name: 'bench', version: '1.0.0', pageSize: count })], providers: [manyTools(count)] })
class ListsModule {}

await listenNest(ListsModule, (app) => ({ addTools: (more: number) => addTools(app.get(McpRegistrar, { strict: false }), more) }));
