import type { Readable } from 'node:stream';
import { findMessageId } from '../reading/message-id.js';
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

type Done = (body: Body | undefined) => void;

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

  /** Calls `done` once. With undefined when the body did not come to its end: the client left, or a stream of the app's in between has failed. */
  read(payload: Readable, declaredLength: number, done: Done): void {
    const read = new BodyRead(payload, this.limits, done);
    if (this.begun.push(read) === 1) setImmediate(this.watchSlow);
    if (read.isOver) return;
    if (this.closed) read.refuse(Refusals.ShuttingDown);
    else if (declaredLength > this.limits.maxBodyBytes) read.announceTooLarge();
  }

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
  private isTooLarge = false;
  private idWait: NodeJS.Timeout | undefined;
  private timer: NodeJS.Timeout | undefined;
  private slow: Set<BodyRead> | undefined;

  constructor(
    private readonly payload: Readable,
    private readonly limits: BodyLimits,
    private done: Done | undefined,
  ) {
    // Functions made here, not members: V8 kept each body, and its request with it, until a full collection when they were members.
    const giveUp = (): void => {
      if (!this.isOver) this.end()?.(undefined);
    };
    payload.on('error', giveUp).on('close', giveUp);
    // A stream of the app's in between may give text.
    payload.on('data', (data: Buffer | string) => {
      if (this.done === undefined) return;
      const chunk = typeof data === 'string' ? Buffer.from(data) : data;
      this.length += chunk.length;
      if (!this.isTooLarge && this.length <= limits.maxBodyBytes) this.chunks.push(chunk);
      else this.refuse(refusalOf(findMessageId(...this.chunks, chunk), Refusals.BodyTooLarge));
    });
    payload.on('end', () => {
      const { chunks } = this;
      const whole = this.end();
      if (this.isTooLarge) whole?.(Refusals.BodyTooLarge);
      else whole?.(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, this.length));
    });
    // A stream that a preParsing hook of the app has put in between may have been paused, and a listener alone does not wake one that was.
    payload.resume();
    if (payload.destroyed) giveUp();
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
    done?.(refusal);
  }

  shutDown(): void {
    if (this.isOver) return;
    if (this.done === undefined) this.payload.destroy();
    else this.refuse(Refusals.ShuttingDown);
  }

  /** Nothing comes any more. @returns who waits for it, if somebody still does */
  private end(): Done | undefined {
    const { done } = this;
    this.done = undefined;
    this.isOver = true;
    if (this.idWait !== undefined) clearTimeout(this.idWait);
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.slow?.delete(this);
    return done;
  }

  /** The first time it refuses the body, the second time it cuts off a client that still sends. */
  private timeOut(): void {
    if (this.done === undefined) return void this.payload.destroy();
    this.timer?.refresh();
    this.refuse(Refusals.BodyTimeout);
  }
}
