/** The headers that frame the answer or belong to the protocol: no enhancer sets them, whatever the options say. */
const RESERVED =
  /^(mcp-.*|content-(type|length|encoding|range)|transfer-encoding|connection|keep-alive|proxy-connection|upgrade|te|trailer|expect|date)$/;

/** Whether a header can be let through at all. */
export function isReservedHeader(name: string): boolean {
  return RESERVED.test(name.toLowerCase());
}
