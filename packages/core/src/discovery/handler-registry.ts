import type { HandlerDefinition } from './handler-definition.js';

/**
 * The server's handlers of one kind: found by the key that requests use, listed in a stable order, that of declaration
 * and then of addition. It may change at run time; `version` lets callers notice that derived data is out of date.
 */
export abstract class HandlerRegistry<D extends HandlerDefinition> {
  private byKey: ReadonlyMap<string, D> = new Map();
  private ordered: readonly D[] = [];
  private changes = 0;

  /** By what requests name a handler of the kind: its name, URI or template. */
  abstract keyOf(definition: D): string;

  /** Grows with every change. */
  get version(): number {
    return this.changes;
  }

  get(key: string): D | undefined {
    return this.byKey.get(key);
  }

  list(): readonly D[] {
    return this.ordered;
  }

  /** Takes these in the place of all others; at boot those of the application. */
  replace(definitions: readonly D[]): void {
    this.ordered = Object.freeze([...definitions]);
    this.byKey = new Map(definitions.map((definition) => [this.keyOf(definition), definition]));
    this.changes += 1;
  }

  /** Adds one behind the others. @throws Error when its key is taken */
  add(definition: D): void {
    const key = this.keyOf(definition);
    const former = this.byKey.get(key);
    if (former) throw new Error(`The ${definition.kind} "${key}" already exists: ${former.where}`);
    this.replace([...this.ordered, definition]);
  }

  /**
   * Removes a handler.
   * @returns the removed handler; undefined if the key has none
   */
  remove(key: string): D | undefined {
    const former = this.byKey.get(key);
    if (former) this.replace(this.ordered.filter((definition) => definition !== former));
    return former;
  }
}
