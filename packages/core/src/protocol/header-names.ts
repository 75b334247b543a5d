/** The HTTP headers of the Streamable HTTP transport, lower case as Node reports them. */
export const Header = {
  ProtocolVersion: 'mcp-protocol-version',
  Method: 'mcp-method',
  Name: 'mcp-name',
  /** Prefix of the headers that mirror tool arguments (`x-mcp-header`). */
  ParamPrefix: 'mcp-param-',
} as const;
