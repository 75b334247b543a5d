/** Keys in the order of their deadlines: a binary min-heap in two flat arrays, which cost 16 bytes an entry. A key may stand in it twice. */
export class DeadlineHeap<K> {
  private deadlines: number[] = [];
  private keys: K[] = [];

  get size(): number {
    return this.keys.length;
  }

  /** The earliest deadline; undefined if there is none. */
  get earliest(): number | undefined {
    return this.deadlines[0];
  }

  /** @returns how many it holds now */
  push(key: K, deadline: number): number {
    this.deadlines.push(deadline);
    const size = this.keys.push(key);
    let child = size - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (this.deadlines[parent]! <= deadline) break;
      this.swap(parent, child);
      child = parent;
    }
    return size;
  }

  /** Takes out the key with the earliest deadline. */
  pop(): K | undefined {
    const top = this.keys[0];
    const lastDeadline = this.deadlines.pop();
    const lastKey = this.keys.pop();
    if (this.size > 0) {
      this.deadlines[0] = lastDeadline as number;
      this.keys[0] = lastKey as K;
      this.siftDown(0);
    }
    return top;
  }

  clear(): void {
    this.deadlines = [];
    this.keys = [];
  }

  private siftDown(start: number): void {
    let parent = start;
    for (;;) {
      const left = 2 * parent + 1;
      if (left >= this.size) return;
      const right = left + 1;
      const child = right < this.size && this.at(right) < this.at(left) ? right : left;
      if (this.at(parent) <= this.at(child)) return;
      this.swap(parent, child);
      parent = child;
    }
  }

  private at(index: number): number {
    return this.deadlines[index] as number;
  }

  private swap(a: number, b: number): void {
    [this.deadlines[a], this.deadlines[b]] = [this.at(b), this.at(a)];
    [this.keys[a], this.keys[b]] = [this.keys[b] as K, this.keys[a] as K];
  }
}
