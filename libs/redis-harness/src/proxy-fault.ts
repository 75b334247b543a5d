/** A fault that was asked of a proxy: how often it happened, and how to be done with it. */
export interface ProxyFault {
  /** How often it has happened so far: the proof that it did. */
  readonly fired: number;
  /** From now on it happens no more. */
  end(): void;
}

/** Which requests a cut is for: those that contain each of the texts, in any case. Arguments count as Latin-1. */
export interface RequestCutOptions {
  readonly containing: readonly string[];
  /** How many of them. Default 1. */
  readonly times?: number;
  /** Called at each cut, before anything else passes the proxy. */
  readonly onFired?: () => void;
}

/** The cut of a connection at a request. */
export class RequestCut implements ProxyFault {
  fired = 0;

  private times: number;

  constructor(
    /** `before`: Redis never sees the request. `after`: it has carried it out, and its reply is lost. */
    readonly moment: 'before' | 'after',
    private readonly options: RequestCutOptions,
  ) {
    this.times = options.times ?? 1;
  }

  /** Whether this request is to be cut, which uses up one of the times. */
  takes(request: Buffer): boolean {
    if (this.times === 0) return false;
    const text = request.toString('latin1').toLowerCase();
    if (!this.options.containing.every((part) => text.includes(part.toLowerCase()))) return false;
    this.times -= 1;
    return true;
  }

  /** The request that was taken was refused by Redis, so there was nothing to lose: the next one is taken instead. */
  giveBack(): void {
    this.times += 1;
  }

  /** It has happened. */
  fire(): void {
    this.fired += 1;
    this.options.onFired?.();
  }

  end(): void {
    this.times = 0;
  }
}

/** A fault that lasts: it counts what it holds up or swallows until it ends. */
export class LastingFault implements ProxyFault {
  fired = 0;

  constructor(private readonly onEnd: () => void) {}

  end(): void {
    this.onEnd();
  }
}

/** The faults that a proxy's connections look at. */
export interface ProxyFaults {
  readonly cuts: RequestCut[];
  stall?: LastingFault | undefined;
  mute?: LastingFault | undefined;
}
