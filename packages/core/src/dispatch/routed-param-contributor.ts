/** One row of the `Mcp-Name` table: which param the header mirrors (MCP transports "Standard request headers"). */
export interface RoutedParam {
  readonly method: string;
  /** The member of `params` that the header repeats. */
  readonly param: string;
  /** `required`: a missing header is `-32020`. `if-present`: only a header that is there is compared. A mismatch is always `-32020`. */
  readonly presence: 'required' | 'if-present';
}

/** Adds rows to the `Mcp-Name` table at start-up (`@McpSeam('routed-param-contributor')`). A method listed twice fails the boot and names both. */
export interface RoutedParamContributor {
  routedParams(): readonly RoutedParam[];
}
