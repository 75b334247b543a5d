import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers';
import { findMessageId } from '../reading/message-id.js';
import type { FastifyRequest } from './fastify.js';
import { refusalOf, Refusals } from './refusal.js';
import type { Refusal } from './refusal.js';

/** Bounds on a request body. */
export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly timeoutMs: number;
}

/** How long the first bytes of a body are waited for that is refused for its declared length. */
const ID_WAIT_MS = 100;

/** The bytes of a body, or why they were not read. */
export type Body = Buffer | Refusal;

type Done = (error: null, body: Body) => void;

/**
 * Reads request bodies, in their size, in time, and until the server shuts down. A body that grows too large is answered at once and the
 * rest of it is discarded, so the answer arrives and the connection stays usable; a client that never stops sending is cut off when the
 * time is over.
 */
export class BodyReader {
  /** Those that began in this turn of the event loop. Nearly all are whole by its end, and need no timer. */
  private begun: BodyRead[] = [];
  /** Those that take longer. */
  private readonly slow = new Set<BodyRead>();
  private closed = false;

  constructor(private readonly limits: BodyLimits) {}

  /** Fastify's parser of bodies. Calls `done` once; never when the client has left. */
  readonly read = (request: Pick<FastifyRequest, 'raw' | 'headers'>, payload: Readable, done: Done): void => {
    const { 'content-encoding': encoding, 'content-length': declared } = request.headers;
    // A plugin that decodes bodies puts its own stream in the place of the request.
    if (payload === request.raw && encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
      return done(null, Refusals.Encoded);
    const read = new BodyRead(request.raw, payload, this.limits, done);
    // Node's own: the fake timers of an application's tests would let the list grow.
    if (this.begun.push(read) === 1) setImmediate(this.watchSlow);
    if (read.isOver) return;
    if (this.closed) read.refuse(Refusals.ShuttingDown);
    else if (Number(declared) > this.limits.maxBodyBytes) read.announceTooLarge();
  };

  /** Answers every body still on its way, and does not wait for requests that are already answered. */
  close(): void {
    this.closed = true;
    for (const read of [...this.begun, ...this.slow]) read.shutDown();
  }

  /** Called at the end of a turn: gives those that have begun in it, and are not whole, their time. */
  private readonly watchSlow = (): void => {
    const { begun } = this;
    this.begun = [];
    for (const read of begun) if (!read.isOver) read.watch(this.slow);
  };
}

/** One body: collecting, then (when refused) discarding, then over. */
class BodyRead {
  /** Whether nothing comes any more. */
  isOver = false;
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isWhole = false;
  private isTooLarge = false;
  private idWait: NodeJS.Timeout | undefined;
  private timer: NodeJS.Timeout | undefined;
  private slow: Set<BodyRead> | undefined;

  constructor(
    request: IncomingMessage,
    private readonly payload: Readable,
    private readonly limits: BodyLimits,
    private done: Done | undefined,
  ) {
    // Functions made here, not members: V8 kept each body, and its request with it, until a full collection when they were members.
    const over = (): void => {
      if (this.isOver) return;
      this.isOver = true;
      if (this.idWait !== undefined) clearTimeout(this.idWait);
      if (this.timer !== undefined) clearTimeout(this.timer);
      this.slow?.delete(this);
      const { done: waiting, chunks } = this;
      this.done = undefined;
      if (waiting === undefined) return;
      if (!this.isWhole) return hasLeft(request) ? undefined : waiting(null, Refusals.BodyUnreadable);
      if (this.isTooLarge) return waiting(null, Refusals.BodyTooLarge);
      waiting(null, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.length));
    };
    payload.on('error', over).on('close', over);
    payload.on('end', () => {
      this.isWhole = true;
      over();
    });
    // A stream of the app's in between may give text.
    payload.on('data', (data: Buffer | string) => {
      if (this.done === undefined) return;
      const chunk = typeof data === 'string' ? Buffer.from(data) : data;
      this.length += chunk.length;
      if (!this.isTooLarge && this.length <= limits.maxBodyBytes) this.chunks.push(chunk);
      else this.refuse(refusalOf(findMessageId(...this.chunks, chunk), Refusals.BodyTooLarge));
    });
    // A stream that a preParsing hook of the app has put in between may have been paused, and a listener alone does not wake one that was.
    payload.resume();
    if (payload.destroyed) over();
  }

  /** Gives it its time, and a place among the slow ones until it is over. */
  watch(slow: Set<BodyRead>): void {
    this.slow = slow.add(this);
    this.timer = setTimeout(() => this.timeOut(), this.limits.timeoutMs).unref();
  }

  /** The head says that the body is too large: it is refused with its first bytes, which may hold the id, or soon without them. */
  announceTooLarge(): void {
    this.isTooLarge = true;
    this.idWait = setTimeout(() => this.refuse(Refusals.BodyTooLarge), ID_WAIT_MS).unref();
  }

  /** Answers in place of the bytes and lets the rest go by. */
  refuse(refusal: Refusal): void {
    const { done } = this;
    this.done = undefined;
    clearTimeout(this.idWait);
    this.chunks.length = 0;
    done?.(null, refusal);
  }

  shutDown(): void {
    if (this.isOver) return;
    if (this.done === undefined) this.payload.destroy();
    else this.refuse(Refusals.ShuttingDown);
  }

  /** The first time it refuses the body, the second time it cuts off a client that still sends. */
  private timeOut(): void {
    if (this.done === undefined) return void this.payload.destroy();
    this.timer?.refresh();
    this.refuse(Refusals.BodyTimeout);
  }
}

// A stream of HTTP/2 can end alone.
function hasLeft(request: IncomingMessage & { readonly stream?: { readonly destroyed: boolean } }): boolean {
  return request.socket.destroyed || request.stream?.destroyed === true;
}
