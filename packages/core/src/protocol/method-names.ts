/** The JSON-RPC methods the core answers. Extensions add theirs through `McpMethodContributor`. */
export const Method = {
  Discover: 'server/discover',
  ListTools: 'tools/list',
  CallTool: 'tools/call',
  Progress: 'notifications/progress',
  Cancelled: 'notifications/cancelled',
  Elicit: 'elicitation/create',
} as const;
