import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { Rate } from '../envelope/token-buckets.js';
import { RequestLog } from '../notifications/request-log.js';
import { RequestProgress } from '../notifications/request-progress.js';
import type { ExecutionCarrier } from '../replay/execution-carrier.js';
import { PacedSink } from './paced-sink.js';

/** What of the server's options bears on what a request may be told while it runs. */
export interface RequestCarrierSettings {
  /** Whether log messages are sent at all; they are advertised then. */
  readonly logging: boolean;
  /** How many notifications of progress and logs one request may send; without it as many as it likes. */
  readonly notifications?: Rate | undefined;
}

/** What an execution within a request reports to: progress and log messages on the request's own stream, its signal that of the connection. */
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
