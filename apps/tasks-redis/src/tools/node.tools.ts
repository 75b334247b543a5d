import { Injectable } from '@nestjs/common';
import { McpTool } from '@mocapi/core';
import { ThisNode } from '../this-node.js';

/** Behind a load balancer, the way to see which node answers. */
@Injectable()
export class NodeTools {
  constructor(private readonly node: ThisNode) {}

  @McpTool({ name: 'where_am_i', description: 'Says which node answers', annotations: { readOnlyHint: true } })
  whereAmI(): { node: string; pid: number } {
    return { node: this.node.name, pid: process.pid };
  }
}
