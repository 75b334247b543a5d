import type { ServerResponse } from 'node:http';
import type { NotificationMessage } from '../../protocol/messages.js';
import type { FastifyReply } from './fastify.js';
import { StalledFrames } from '../replying/notifications.js';

const HEARTBEAT = ': keepalive\n\n';

/** So many heartbeats without a byte that the reader takes, and at least this long, end the connection. */
const STALLED_BEATS = 4;
const LEAST_STALL_MS = 1_000;

/**
 * The SSE form of one reply (MCP transports "Sending messages": notifications about the request, then its response, then the end).
 *
 * It flows until a write fills the socket, then is stalled until `drain`. While stalled nothing is written: notifications wait in
 * `StalledFrames`, heartbeats are skipped, since a full buffer keeps no connection alive. `end` writes in either state: the final response
 * is never dropped. After `end` or `stop` nothing is left but the socket's own buffer.
 */
export class EventStream {
  private readonly stalledFrames = new StalledFrames();
  private readonly heartbeat: NodeJS.Timeout;
  private stalled = false;
  private onCaughtUp: (() => void) | undefined;

  private constructor(
    private readonly response: ServerResponse,
    heartbeatMs: number,
  ) {
    this.heartbeat = setInterval(() => this.beat(), heartbeatMs).unref();
    response.on('drain', () => this.drain());
    // Node's own timeout of a socket on which nothing moves. It takes the place of one that the app has set for ordinary replies, and heartbeats keep
    // it from firing as long as the reader takes them.
    response.setTimeout(Math.max(STALLED_BEATS * heartbeatMs, LEAST_STALL_MS), () => response.destroy());
  }

  /** Sends the head of the reply, with what other Fastify hooks have set on it, and takes the response from Fastify. */
  static open(reply: FastifyReply, heartbeatMs: number): EventStream {
    const response = reply.raw;
    const headers = reply.getHeaders();
    reply.hijack();
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) response.setHeader(name, value);
    }
    response.removeHeader('content-length');
    response.setHeader('content-type', 'text/event-stream');
    response.setHeader('cache-control', 'no-store');
    // Tells nginx and its kin to pass events on as they come.
    response.setHeader('x-accel-buffering', 'no');
    response.writeHead(200);
    return new EventStream(response, heartbeatMs);
  }

  /** Whether messages sent now have to wait. */
  get isStalled(): boolean {
    return this.stalled;
  }

  /** Calls `listener` whenever the reader has caught up. */
  onDrain(listener: () => void): void {
    this.onCaughtUp = listener;
  }

  send(message: NotificationMessage): void {
    const frame = toFrame(JSON.stringify(message));
    if (this.stalled) this.stalledFrames.add(message, frame);
    else this.write(frame);
  }

  /** Sends the final response, behind what still waits, and ends the stream. */
  end(text: string): void {
    this.stop();
    this.response.end(this.stalledFrames.take() + toFrame(text));
  }

  /** Leaves nothing running; the response is somebody else's or gone. */
  stop(): void {
    clearInterval(this.heartbeat);
  }

  private beat(): void {
    if (!this.stalled) this.write(HEARTBEAT);
  }

  private drain(): void {
    this.stalled = false;
    const waiting = this.stalledFrames.take();
    if (waiting !== '' && !this.response.writableEnded) this.write(waiting);
    if (!this.stalled) this.onCaughtUp?.();
  }

  private write(text: string): void {
    if (!this.response.write(text)) this.stalled = true;
  }
}

// JSON.stringify puts a message on one line, as the format needs.
function toFrame(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
