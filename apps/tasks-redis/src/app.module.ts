import { randomBytes } from 'node:crypto';
import { Module, type DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { McpModule, McpPrincipalSource } from '@mocapi/core';
import { DemoUserSource, PaymentService, ToolsModule } from '@mocapi/demo';
import { McpTasksModule } from '@mocapi/tasks';
import { McpTasksRedisModule } from '@mocapi/tasks-redis';
import { ExecutionLog } from './execution-log.interceptor.js';
import type { NodeSettings } from './node-settings.js';
import { RedisPayments } from './payments/redis-payments.js';
import { ThisNode } from './this-node.js';
import { NodeTools } from './tools/node.tools.js';
import { RelayTools } from './tools/relay.tools.js';

/** One node of the demo: its tools, whose tasks are kept in Redis, and two that say which node runs them. */
@Module({})
export class AppModule {
  static forNode({ name, redisUrl, keyPrefix, leaseMs, stateKey }: NodeSettings): DynamicModule {
    // What this node sealed, a node with another key can't open; the program that starts it says so.
    const key = stateKey ?? randomBytes(32);
    const payments = new RedisPayments(redisUrl, keyPrefix ?? 'mocapi:demo:');
    return {
      module: AppModule,
      imports: [
        McpModule.forRoot({
          name: 'mocapi-demo',
          version: '0.0.0',
          title: 'mocapi demo',
          requestState: { keys: [{ id: 'env', key }] },
          providers: [{ provide: McpPrincipalSource, useClass: DemoUserSource }],
        }),
        McpTasksModule.forRoot(leaseMs === undefined ? {} : { lease: leaseMs }),
        // Somebody at a terminal wants to know soon.
        McpTasksRedisModule.forRoot({ url: redisUrl, connectTimeout: 'PT3S', ...(keyPrefix === undefined ? {} : { keyPrefix }) }),
        { module: ToolsModule, providers: [{ provide: PaymentService, useValue: payments }] },
      ],
      providers: [
        { provide: ThisNode, useValue: new ThisNode(name) },
        { provide: APP_INTERCEPTOR, useClass: ExecutionLog },
        NodeTools,
        RelayTools,
      ],
    };
  }
}
