import { Inject, Injectable } from '@nestjs/common';
import { McpRegistrar, McpTool } from '@mocapi/core';

const TOOL = 'test_dynamic_tool';
const PROMPT = 'test_dynamic_prompt';

/** The fixtures of the `server-stateless` scenario that change the server, so that listening clients are notified. */
@Injectable()
export class TriggerTools {
  constructor(@Inject(McpRegistrar) private readonly registrar: McpRegistrar) {}

  @McpTool({ name: 'test_trigger_tool_change', description: 'Adds a tool, or takes it away again' })
  async toolChange(): Promise<string> {
    if (this.registrar.removeTool(TOOL)) return `${TOOL} is gone.`;
    await this.registrar.addTool({ name: TOOL, description: 'Comes and goes', handler: () => 'Here.' });
    return `${TOOL} is there.`;
  }

  @McpTool({ name: 'test_trigger_prompt_change', description: 'Adds a prompt, or takes it away again' })
  async promptChange(): Promise<string> {
    if (this.registrar.removePrompt(PROMPT)) return `${PROMPT} is gone.`;
    await this.registrar.addPrompt({ name: PROMPT, description: 'Comes and goes', handler: () => 'Here.' });
    return `${PROMPT} is there.`;
  }
}
