import type { DefinitionFault } from '../errors/definition-fault.js';

/** A tool's name and the method that bears it. */
export interface NamedTool {
  readonly name: string;
  readonly where: string;
}

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Names that the revision does not allow (MCP server/tools "Tool names"), and names that stand twice, each with both places. */
export function checkToolNames(tools: readonly NamedTool[]): DefinitionFault[] {
  const first = new Map<string, NamedTool>();
  return tools.flatMap((tool) => {
    const former = first.get(tool.name);
    if (!former) first.set(tool.name, tool);
    const faults: DefinitionFault[] = [];
    if (!TOOL_NAME.test(tool.name)) {
      faults.push({
        where: tool.where,
        problem: `the tool name "${tool.name}" is not 1 to 128 of A-Z a-z 0-9 _ . -`,
        mend: "Give it another: @McpTool({ name: '…' }).",
      });
    }
    if (former) {
      faults.push({
        where: tool.where,
        problem: `the tool name "${tool.name}" is taken by ${former.where}`,
        mend: "Give one of them another name: @McpTool({ name: '…' }).",
      });
    }
    return faults;
  });
}
