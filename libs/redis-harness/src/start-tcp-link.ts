import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A piece of network between two servers, that can go silent or break. It passes bytes and looks into none. */
export interface TcpLink {
  readonly port: number;
  /**
   * From now on nothing arrives at either end, and neither end notices. Held bytes are lost when the link is stopped.
   */
  silence(): void;
  /** How many bytes it has held up since it went silent. */
  heldBytes(): number;
  /** Delivers the bytes that were held up, and lets bytes pass again. */
  restore(): void;
  /** Breaks the connections and takes no new ones. Resolves to how many it broke. */
  stop(): Promise<number>;
}

/** Starts a link to what listens on `port` of the loopback interface. */
export async function startTcpLink(port: number): Promise<TcpLink> {
  const wire = new Wire();
  const server = createServer((near) => wire.join(near, connect({ host: '127.0.0.1', port, noDelay: true }))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  const stop = async () => {
    const ended = new Promise((resolve) => void server.close(resolve));
    const broken = wire.cut();
    await ended;
    return broken;
  };
  return Object.assign(wire, { port: own, stop });
}

class Wire {
  private readonly ends = new Set<Socket>();
  private readonly held: (() => void)[] = [];
  private isSilent = false;
  private bytes = 0;

  join(near: Socket, far: Socket): void {
    this.carry(near, far);
    this.carry(far, near);
  }

  silence(): void {
    this.isSilent = true;
    this.bytes = 0;
  }

  heldBytes(): number {
    return this.bytes;
  }

  restore(): void {
    this.isSilent = false;
    for (const go of this.held.splice(0)) go();
  }

  cut(): number {
    // Of a connection one end may have gone already.
    const connections = Math.ceil(this.ends.size / 2);
    for (const end of this.ends) end.destroy();
    return connections;
  }

  private carry(from: Socket, to: Socket): void {
    this.ends.add(from);
    from.on('error', () => undefined);
    from.on('data', (chunk: Buffer) => {
      if (this.isSilent) this.bytes += chunk.length;
      this.pass(() => to.write(chunk));
    });
    // Silence keeps the end of a connection from arriving, too.
    from.on('close', () => {
      this.ends.delete(from);
      this.pass(() => to.destroySoon());
    });
  }

  private pass(go: () => void): void {
    if (this.isSilent) this.held.push(go);
    else go();
  }
}
