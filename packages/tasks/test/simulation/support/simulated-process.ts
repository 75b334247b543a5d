/** What a node runs in. Once it is dead nothing of it happens any more: no timer fires, no reply comes. */
export class SimulatedProcess {
  private resumesAt = 0;
  private dead = false;
  private readonly connections: (() => void)[] = [];

  constructor(readonly name: string) {}

  get isDead(): boolean {
    return this.dead;
  }

  /** Until when it stands still, in epoch milliseconds. */
  get pausedUntil(): number {
    return this.resumesAt;
  }

  pause(until: number): void {
    this.resumesAt = Math.max(this.resumesAt, until);
  }

  kill(): void {
    this.dead = true;
    this.disconnect();
  }

  /** Closes every connection, as at its death and at the end of its shutdown. */
  disconnect(): void {
    for (const close of this.connections.splice(0)) close();
  }

  /** What becomes of a connection when it is closed. */
  onDisconnect(close: () => void): void {
    this.connections.push(close);
  }
}
