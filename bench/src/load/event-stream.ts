import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { requestBytes, type McpCall } from './mcp-request.js';

/** A stream of notifications, read as it arrives. */
export class EventStream {
  private received = '';
  private waiting: { readonly text: string; readonly resolve: (at: bigint) => void } | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => this.take(String(chunk)));
    // Whoever waits sees it by the time that it takes.
    socket.on('error', () => undefined);
  }

  static async open(port: number, call: McpCall): Promise<EventStream> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    socket.write(requestBytes(call));
    return new EventStream(socket);
  }

  /** When the text arrived, in nanoseconds of the machine's monotonic clock. What came before it is forgotten. Rejects after 20 seconds. */
  arrival(text: string): Promise<bigint> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Not within 20 seconds: ${text}, but ${this.received}`)), 20_000);
      this.waiting = {
        text,
        resolve: (at) => {
          clearTimeout(timer);
          resolve(at);
        },
      };
      this.take('');
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: string): void {
    const at = process.hrtime.bigint();
    this.received += chunk;
    const { waiting } = this;
    const found = waiting === undefined ? -1 : this.received.indexOf(waiting.text);
    if (waiting === undefined || found < 0) return;
    this.received = this.received.slice(found + waiting.text.length);
    this.waiting = undefined;
    waiting.resolve(at);
  }
}
