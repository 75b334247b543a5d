import type { DispatchReply } from '../../dispatch/message-dispatcher.js';
import type { RequestMessage } from '../../protocol/messages.js';
import { SettledDelivery } from '../settled-delivery.js';
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
  { request, protocolVersion }: { readonly request: object; readonly protocolVersion: string },
): Promise<DispatchReply | undefined> {
  const { signal } = new AbortController();
  const exchange = { request, signal, notifications: { notify: () => {} }, delivery: new SettledDelivery() };
  const envelope = { protocolVersion, clientCapabilities: {} };
  try {
    await gate.enter({ id: message.id, method: message.method, params: message.params ?? {}, envelope, exchange });
    checkHandshake(message);
    return undefined;
  } catch (thrown) {
    return dispatcher.fault(message, thrown);
  }
}
