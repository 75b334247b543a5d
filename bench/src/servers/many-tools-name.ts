/** The name of the tool of that index, the same in every server. */
export function toolName(index: number): string {
  return `tool_${index}`;
}
