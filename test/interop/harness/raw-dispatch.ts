import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { RawClientDispatch } from '@modelcontextprotocol/ext-tasks/client';

type RawResponse = Awaited<ReturnType<RawClientDispatch>>;
type WireResponse = { readonly id: string; readonly result?: unknown; readonly error?: unknown };

/**
 * Lets the tasks client send its requests through the transport of a connected official client, whose own codec refuses results of
 * the type `task`. Call it once the client is connected: it takes its share of what arrives and leaves the rest to the client.
 */
export function rawDispatchOver(transport: Transport): RawClientDispatch {
  const waiting = new Map<string, (response: RawResponse) => void>();
  const toClient = transport.onmessage;
  // A transport is no EventTarget.
  // eslint-disable-next-line unicorn/prefer-add-event-listener
  transport.onmessage = (message: JSONRPCMessage) => {
    const { id } = message as { id?: unknown };
    const settle = typeof id === 'string' ? waiting.get(id) : undefined;
    if (settle && !('method' in message)) settle(asResponse(message as unknown as WireResponse));
    else toClient?.(message);
  };
  let count = 0;
  return async (request, { signal, context } = {}) => {
    const id = `raw-${++count}`;
    const response = new Promise<RawResponse>((resolve) => waiting.set(id, resolve));
    const message = { ...(request as object), jsonrpc: '2.0', id } as JSONRPCMessage;
    try {
      await transport.send(message, { ...(signal && { requestSignal: signal }), ...(context?.headers && { headers: context.headers }) });
      return await abortable(response, signal);
    } finally {
      waiting.delete(id);
    }
  };
}

function asResponse(message: WireResponse): RawResponse {
  return ('error' in message ? { kind: 'error', error: message.error } : { kind: 'result', result: message.result }) as RawResponse;
}

async function abortable<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise;
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([promise, aborted]);
}
