/** The revision this server speaks: MCP 2026-07-28. */
export const PROTOCOL_VERSION = '2026-07-28';

/** Every revision served, newest first; what `server/discover` and `-32022` report. */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly string[] = [PROTOCOL_VERSION];
