import type { Exchange } from '../dispatch/exchange.js';
import type { RequestEnvelope } from '../envelope/request-envelope.js';
import type { Rate } from '../envelope/token-buckets.js';
import type { LogSink, NotificationSink, ProgressSink } from '../notifications/sinks.js';
import { RequestLog, RequestProgress } from '../notifications/request-notifications.js';
import type { AbortSource } from '../protocol/abort-source.js';
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
 * that of the connection. What few calls need is made when it is first used.
 */
export class RequestCarrier implements ExecutionCarrier {
  readonly signal: AbortSource;
  /** Sends what was held back; there only if something was sent that may be. */
  left?: () => void;
  private sink?: NotificationSink;
  private madeProgress?: ProgressSink;
  private madeLog?: LogSink;

  constructor(
    private readonly exchange: Exchange,
    private readonly envelope: RequestEnvelope,
    private readonly settings: RequestCarrierSettings,
  ) {
    this.signal = exchange.abortSource ?? exchange.signal;
  }

  get progress(): ProgressSink {
    return (this.madeProgress ??= new RequestProgress(this.notifications, this.envelope.progressToken));
  }

  get log(): LogSink | undefined {
    if (!this.settings.logging) return undefined;
    return (this.madeLog ??= new RequestLog(this.notifications, this.envelope.logLevel));
  }

  private get notifications(): NotificationSink {
    const { notifications: rate } = this.settings;
    if (this.sink) return this.sink;
    if (!rate) return (this.sink = this.exchange.notifications);
    const paced = new PacedSink(this.exchange.notifications, rate);
    this.left = () => paced.end();
    return (this.sink = paced);
  }
}
