/** The argument of every echo tool, and what its answer holds. */
export const ECHO_TEXT = 'The order has been shipped and will arrive on Tuesday.';

/** The answer that floors give: as long as that of a real server. */
export function echoAnswer(id: unknown, text: unknown): object {
  return {
    jsonrpc: '2.0',
    id,
    result: {
      resultType: 'complete',
      content: [{ type: 'text', text }],
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1.0.0' } },
    },
  };
}
