import type { TaskRunListener, TaskStore } from '@mocapi/tasks';

/** The way from one node to its store. While it is cut nothing comes through, as if the node stood still. */
export class Line {
  private restored: Promise<void> | undefined;
  private resolveRestored: () => void = () => undefined;

  cut(): void {
    this.restored ??= new Promise((resolve) => (this.resolveRestored = resolve));
  }

  restore(): void {
    this.restored = undefined;
    this.resolveRestored();
  }

  async through<T>(ask: () => Promise<T>): Promise<T> {
    await this.whole();
    try {
      return await ask();
    } finally {
      await this.whole();
    }
  }

  /** Passes a hint on, which nobody waits for. */
  hint(tell: () => void): void {
    if (!this.restored) tell();
  }

  private async whole(): Promise<void> {
    for (let cut = this.restored; cut; cut = this.restored) await cut;
  }
}

/** The store as one node has it, through a line of its own. */
export function behind(line: Line, store: TaskStore): TaskStore {
  const index = store.runIndex!;
  const runIndex = Object.assign(delayed(line, index), {
    join: (listener?: TaskRunListener) =>
      line.through(() =>
        index.join(
          listener && {
            stopped: (key) => line.hint(() => listener.stopped(key)),
            orphaned: () => line.hint(() => listener.orphaned()),
          },
        ),
      ),
  });
  return Object.assign(delayed(line, store), { runIndex });
}

/** An object with the methods of `target`, each of which goes through the line. */
function delayed<T extends object>(line: Line, target: T): T {
  const own = new Map<PropertyKey, unknown>();
  return new Proxy(target, {
    get(_, name) {
      if (own.has(name)) return own.get(name);
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || name === 'constructor') return value;
      return (...args: unknown[]) =>
        line.through(async () => (Reflect.get(target, name, target) as typeof value).apply(target, args) as unknown);
    },
    set(_, name, value) {
      own.set(name, value);
      return true;
    },
  });
}
