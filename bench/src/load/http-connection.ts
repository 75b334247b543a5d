import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;

/** The whole bytes of one answer: status line, headers and body. */
export type Answer = Buffer;

/** One keep-alive connection that sends a request and waits for its answer before it sends the next. It costs the client little, so that the server is what is measured. */
export class HttpConnection {
  private received: Buffer = Buffer.alloc(0);
  private length: number | 'chunked' | undefined;
  private isOpen = true;
  private settle: { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void } | undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('The server closed the connection')));
  }

  /** @throws when nobody listens on the port */
  static async open(port: number): Promise<HttpConnection> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  /** Rejects when the connection ends before the answer is whole. */
  exchange(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error('The server has closed the connection'));
      this.settle = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.settle = undefined;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    if (!this.isWhole()) return;
    const { settle, received } = this;
    this.received = Buffer.alloc(0);
    this.length = undefined;
    this.settle = undefined;
    settle?.resolve(received);
  }

  private isWhole(): boolean {
    this.length ??= lengthOf(this.received);
    if (this.length === undefined) return false;
    if (this.length !== 'chunked') return this.received.length >= this.length;
    return this.received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  }

  private fail(error: Error): void {
    this.isOpen = false;
    this.settle?.reject(error);
    this.settle = undefined;
  }
}

/** Bytes of the whole answer, once its head is there. */
function lengthOf(received: Buffer): number | 'chunked' | undefined {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  if (CHUNKED.test(head)) return 'chunked';
  return end + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
}
