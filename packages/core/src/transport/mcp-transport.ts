/**
 * A way for messages to come in and replies to go out: Streamable HTTP, stdio. A transport reads bytes into messages with `readMessage`,
 * hands requests with an `Exchange` to the dispatcher, writes what comes back with `encodeReply`, and decides nothing else. What differs
 * between transports is in the `Exchange` they supply: HTTP has routing headers and cancels by closing; stdio has neither and
 * cancels by `notifications/cancelled`, per connection.
 */
export interface McpTransport {
  /**
   * Stops taking messages, aborts open requests (`RequestAborted`, cause `shutdown`), gives each a final error
   * response, and resolves when nothing of the transport is left: no stream, timer or listener. Calls may have some
   * time to end before they are aborted. Idempotent.
   */
  close(): Promise<void>;
}
