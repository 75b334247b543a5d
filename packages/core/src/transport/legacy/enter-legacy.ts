import type { HeaderSink } from '../../dispatch/exchange.js';
import type { DispatchReply } from '../../dispatch/message-dispatcher.js';
import type { RequestMessage } from '../../protocol/messages.js';
import { isJsonObject } from '../../protocol/json.js';
import { checkHandshake } from './check-handshake.js';
import type { LegacyParts } from './legacy-parts.js';

/**
 * Lets a caller in for what no method of dispatch answers, such as the handshake: it is guarded like everything else, and then read.
 *
 * @returns the refusal, or undefined when the caller may go on
 */
export async function enterLegacy(
  { gate, dispatcher }: LegacyParts,
  message: RequestMessage,
  { request, responseHeaders }: { readonly request: object; readonly protocolVersion: string; readonly responseHeaders?: HeaderSink },
): Promise<DispatchReply | undefined> {
  const { signal } = new AbortController();
  try {
    await gate.enter({ exchange: { request, signal, ...(responseHeaders && { responseHeaders }) } });
    if (isJsonObject(message)) checkHandshake(message);
    return undefined;
  } catch (thrown) {
    return dispatcher.fault(isJsonObject(message) ? message : undefined, thrown);
  }
}
