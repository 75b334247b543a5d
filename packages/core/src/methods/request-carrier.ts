import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { Rate } from '../envelope/token-buckets.js';
import { RequestLog, RequestProgress } from '../notifications/request-notifications.js';
import type { ExecutionCarrier } from '../replay/execution-carrier.js';
import { PacedSink } from './paced-sink.js';

/** Options of the server that apply to notifications of a running request. */
export interface RequestCarrierSettings {
  /** Whether log messages are sent at all; they are advertised then. */
  readonly logging: boolean;
  /** How many notifications of progress and logs one request may send; without it as many as it likes. */
  readonly notifications?: Rate | undefined;
}

/**
 * The carrier of an execution within a request: progress and log messages go to the request's own stream; its signal is
 * that of the connection.
 */
export function requestCarrier(
  { exchange, envelope }: DispatchContext,
  { logging, notifications: rate }: RequestCarrierSettings,
): ExecutionCarrier {
  const paced = rate && new PacedSink(exchange.notifications, rate);
  const sink = paced ?? exchange.notifications;
  return {
    signal: exchange.abortSource ?? exchange.signal,
    progress: new RequestProgress(sink, envelope.progressToken),
    ...(logging ? { log: new RequestLog(sink, envelope.logLevel) } : {}),
    ...(paced ? { left: () => paced.end() } : {}),
  };
}
