import { connect, type Socket } from 'node:net';
import type { ProxyFaults, RequestCut } from './proxy-fault.js';
import { RespFrames } from './resp-frames.js';

const SUBSCRIBES = /^\*\d+\r\n\$\d+\r\n[sp]?(un)?subscribe\r\n/i;
/** A published message in RESP 3 and RESP 2. */
const MESSAGE = /^[>*]\d\r\n\$\d+\r\n[sp]?message\r\n/;
/** A push to a subscriber in RESP 2; RESP 3 has a type for it. */
const PUSH = /^\*\d\r\n\$\d+\r\n[sp]?(message|(un)?subscribe)\r\n/;
const HEAD_BYTES = 64;

/** One client's connection through a proxy, frame by frame. */
export class ProxiedConnection {
  private readonly server: Socket;
  private readonly requests = new RespFrames();
  private readonly replies = new RespFrames();
  /** Chunks that a stall holds up, in order of arrival. */
  private readonly held: (() => void)[] = [];
  /** For each request that waits for its reply: the cut that its reply is to meet. */
  private readonly awaited: (RequestCut | undefined)[] = [];
  /** A cut that comes once the requests before it are answered. Nothing more is forwarded. */
  private cutNext: RequestCut | undefined;
  private subscribes = false;

  constructor(
    private readonly client: Socket,
    port: number,
    private readonly faults: ProxyFaults,
  ) {
    this.server = connect({ host: '127.0.0.1', port, noDelay: true });
    client.setNoDelay(true);
    for (const socket of [client, this.server]) {
      socket.on('error', () => undefined);
      // What the one end still said reaches the other.
      socket.on('close', () => this.destroySoon());
    }
    client.on('data', (chunk: Buffer) => {
      const requests = this.requests.take(chunk);
      this.pass(() => this.onRequests(requests), requests.length);
    });
    this.server.on('data', (chunk: Buffer) => this.pass(() => this.onReplies(chunk), 0));
  }

  /** Whether it has ever subscribed to a channel. */
  get isSubscriber(): boolean {
    return this.subscribes;
  }

  /** Breaks it, at both ends. */
  destroy(): void {
    this.client.destroy();
    this.server.destroy();
  }

  private destroySoon(): void {
    this.client.destroySoon();
    this.server.destroySoon();
  }

  /** Lets through what a stall held up. */
  release(): void {
    for (const go of this.held.splice(0)) go();
  }

  private pass(go: () => void, requests: number): void {
    const { stall } = this.faults;
    if (stall === undefined) return go();
    stall.fired += requests;
    this.held.push(go);
  }

  private onRequests(requests: readonly Buffer[]): void {
    for (const request of requests) {
      if (this.cutNext !== undefined) break;
      const cut = this.faults.cuts.find((fault) => fault.takes(request));
      if (cut?.moment === 'before') this.cutNext = cut;
      else this.forward(request, cut);
    }
    this.cutIfDue();
  }

  private forward(request: Buffer, cut: RequestCut | undefined): void {
    // What answers a subscription is a push.
    if (SUBSCRIBES.test(headOf(request))) this.subscribes = true;
    else this.awaited.push(cut);
    this.server.write(request);
  }

  private onReplies(chunk: Buffer): void {
    for (const reply of this.replies.take(chunk)) {
      if (this.isLost(reply)) return this.destroy();
      if (!this.isMuted(reply)) this.client.write(reply);
    }
    this.cutIfDue();
  }

  /** Whether this is the reply of a request whose reply is to be lost. A refusal is passed on: then nothing was carried out. */
  private isLost(reply: Buffer): boolean {
    const head = headOf(reply);
    if (head.startsWith('>') || (this.subscribes && PUSH.test(head))) return false;
    const cut = this.awaited.shift();
    if (cut === undefined) return false;
    const isRefusal = head.startsWith('-');
    if (isRefusal) cut.giveBack();
    else cut.fire();
    return !isRefusal;
  }

  private isMuted(reply: Buffer): boolean {
    const { mute } = this.faults;
    if (mute === undefined || !this.subscribes || !MESSAGE.test(headOf(reply))) return false;
    mute.fired += 1;
    return true;
  }

  private cutIfDue(): void {
    if (this.cutNext === undefined || this.awaited.length > 0) return;
    this.cutNext.fire();
    this.destroy();
  }
}

function headOf(frame: Buffer): string {
  return frame.toString('latin1', 0, HEAD_BYTES);
}
