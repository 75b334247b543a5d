import { Injectable } from '@nestjs/common';
import { McpArg, McpTool, McpToolError } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';

/** Shows a failure: the task completes with an `isError` result that the model can read. */
@Injectable()
export class FlakyTools {
  @McpTool({ name: 'flaky_job', description: 'Fails, unless asked not to' })
  @McpTask({ ttl: 'PT1H', pollInterval: 'PT0.5S', recover: 'replay' })
  flakyJob(@McpArg('fail', { default: true }) fail: boolean): { ok: true } {
    if (fail) throw new McpToolError('The job failed: the upstream service is down');
    return { ok: true };
  }
}
