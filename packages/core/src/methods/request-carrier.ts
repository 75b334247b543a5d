import type { DispatchContext } from '../dispatch/dispatch-context.js';
import { RequestLog } from '../notifications/request-log.js';
import { RequestProgress } from '../notifications/request-progress.js';
import type { ExecutionCarrier } from '../replay/execution-carrier.js';

/** What of the server's options bears on what a request may be told while it runs. */
export interface RequestCarrierSettings {
  /** Whether log messages are sent at all; they are advertised then. */
  readonly logging: boolean;
}

/** What an execution within a request reports to: progress and log messages on the request's own stream, its signal that of the connection. */
export function requestCarrier({ exchange, envelope }: DispatchContext, { logging }: RequestCarrierSettings): ExecutionCarrier {
  return {
    signal: exchange.signal,
    progress: new RequestProgress(exchange.notifications, envelope.progressToken),
    ...(logging ? { log: new RequestLog(exchange.notifications, envelope.logLevel) } : {}),
  };
}
