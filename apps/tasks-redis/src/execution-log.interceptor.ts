import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { McpExecution, type ExecutionTrigger } from '@mocapi/core';
import type { Observable } from 'rxjs';
import { ThisNode } from './this-node.js';

const WHY: Record<ExecutionTrigger, string> = {
  call: 'begins',
  update: 'continues',
  takeover: 'takes over',
};

/** Prints what this node begins to run, so that people see where a task is. */
@Injectable()
export class ExecutionLog implements NestInterceptor {
  constructor(private readonly node: ThisNode) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const execution = McpExecution.find(context);
    if (execution?.mayBecomeTask) console.log(`${this.node.name} ${WHY[execution.trigger]} ${execution.handler.name}`);
    return next.handle();
  }
}
