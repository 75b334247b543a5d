import type { McpToolError } from './mcp-tool.error.js';
import type { McpError } from './mcp.error.js';

/**
 * Turns exceptions of a library or of the application into errors that clients may see
 * (`@McpSeam('error-translator')`): an `McpError` is a JSON-RPC error, an `McpToolError` an `isError` result of a
 * tool. Runs for everything that a body, an interceptor, a pipe or an extension's method threw, but not for denials;
 * the first translator with an answer wins.
 */
export interface McpErrorTranslator {
  translate(error: unknown): McpError | McpToolError | undefined;
}

/** The translators of the application, as one. */
export class ErrorTranslation {
  /** @param endpoint whose translators they are */
  constructor(private readonly endpoint: { readonly current: { readonly translators: readonly McpErrorTranslator[] } }) {}

  /** Translates `error`; returns the error itself when nobody translates it, or when a translator fails. */
  translate(error: unknown): unknown {
    for (const translator of this.endpoint.current.translators) {
      const translated = attempt(translator, error);
      if (translated !== undefined) return translated;
    }
    return error;
  }
}

function attempt(translator: McpErrorTranslator, error: unknown): McpError | McpToolError | undefined {
  try {
    return translator.translate(error);
  } catch {
    // The original error is the one to report.
    return undefined;
  }
}
