import { TaskStoreUnavailableError } from '@mocapi/tasks';
import type { History } from './history.js';
import type { Random } from './random.js';
import type { SimulatedProcess } from './simulated-process.js';
import type { SimulatedTime } from './simulated-time.js';

/** How often each fault of the wire strikes: parts of all messages. */
export interface WireFaults {
  lostRequests: number;
  lostReplies: number;
  lostHints: number;
  doubledHints: number;
  /** Messages that take up to `SLOW_MS` instead of a few milliseconds. */
  slow: number;
  /** Until when the store answers nobody, in epoch milliseconds. */
  awayUntil: number;
}

/** What a link is made of. */
export interface LinkParts {
  readonly time: SimulatedTime;
  readonly random: Random;
  readonly process: SimulatedProcess;
  readonly faults: WireFaults;
  readonly history: History;
}

const SLOW_MS = 300;
/** How long a node waits for a reply. */
const TIMEOUT_MS = 400;
const RETRY_AFTER_MS = 1000;

/** A node's connection to the store. Requests for the same key arrive in the order they were sent; all others in any. */
export class Link {
  private readonly arrivals = new Map<string, number>();

  constructor(private readonly parts: LinkParts) {}

  get name(): string {
    return this.parts.process.name;
  }

  /**
   * Asks the server, or finds that it doesn't answer: then the request may have arrived or not.
   * @throws TaskStoreUnavailableError, and what the server throws
   */
  call<T>(what: string, key: string, serve: () => Promise<T>): Promise<T> {
    const { time, random, faults, process } = this.parts;
    return new Promise<T>((resolve, reject) => {
      // What unwinds in a process while that dies sends nothing any more.
      if (process.isDead) return;
      const label = `${this.name} ${what}`;
      if (faults.awayUntil > time.now) return this.unavailable('store away', label, { afterMs: 1, reject });
      if (random.chance(faults.lostRequests)) return this.unavailable('lost request', label, { afterMs: TIMEOUT_MS, reject });
      const isReplyLost = random.chance(faults.lostReplies);
      const receive = (deliver: () => void): void => {
        if (isReplyLost) this.unavailable('lost reply', label, { afterMs: TIMEOUT_MS, reject });
        else time.after(this.latency(), { what: `${label} done`, process }, deliver);
      };
      const arrive = (): void =>
        void serve().then(
          (value) => receive(() => resolve(value)),
          (error: unknown) => receive(() => reject(error)),
        );
      time.after(this.arrival(key), label, arrive);
    });
  }

  /** Tells the node something that it need not hear, nor once. */
  hint(what: string, tell: () => void): void {
    const { time, random, faults, history, process } = this.parts;
    const label = `${this.name} hears ${what}`;
    if (random.chance(faults.lostHints)) return history.fault('lost hint');
    time.after(this.latency(), { what: label, process }, tell);
    if (!random.chance(faults.doubledHints)) return;
    history.fault('doubled hint');
    time.after(this.latency() * 3, { what: label, process }, tell);
  }

  private unavailable(fault: string, label: string, { afterMs, reject }: { afterMs: number; reject: (error: Error) => void }): void {
    const { time, process, history } = this.parts;
    history.fault(fault);
    const fail = (): void => reject(new TaskStoreUnavailableError(RETRY_AFTER_MS));
    time.after(afterMs, { what: `${label}: ${fault}`, process }, fail);
  }

  /** Milliseconds until a request that is sent now arrives. */
  private arrival(key: string): number {
    const { now } = this.parts.time;
    const sent = Math.max(now, this.parts.process.pausedUntil);
    const at = Math.max(sent + this.latency(), (this.arrivals.get(key) ?? 0) + 1);
    this.arrivals.set(key, at);
    return at - now;
  }

  private latency(): number {
    const { random, faults } = this.parts;
    return random.chance(faults.slow) ? random.between(5, SLOW_MS) : random.between(1, 4);
  }
}
