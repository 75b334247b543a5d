import { isJsonObject, type JsonValue } from '../../protocol/json.js';
import { Method } from '../../protocol/vocabulary.js';
import type { ResponseMessage } from '../../protocol/messages.js';
import { toMessage } from '../reading/read-message.js';
import { legacyRoute, unsupportedRevision } from '../legacy/classify-era.js';
import type { LegacyEra } from '../legacy/legacy-parts.js';
import { LegacyLines } from './legacy-lines.js';
import type { LineWriter } from './line-writer.js';

/** The connection, as an older client uses it. */
export interface OlderClientParts {
  readonly era: LegacyEra;
  readonly path: string;
  readonly writer: LineWriter;
  readonly refuse: (response: ResponseMessage) => void;
  /** Called whenever nothing of it is in flight any more. */
  readonly onIdle: () => void;
}

/**
 * The era of a connection (MCP basic "Versioning"): the client's opening decides. A `server/discover` alone decides
 * nothing, because clients of both eras send it first; after any other request of 2026-07-28, a handshake comes too
 * late.
 */
export class StdioOlderClient {
  private isModern = false;
  private lines: LegacyLines | undefined;

  constructor(private readonly parts: OlderClientParts) {}

  get inFlight(): number {
    return this.lines?.inFlight ?? 0;
  }

  /** Takes a message that is of an older client, and says whether it was. */
  take(value: JsonValue): boolean {
    const route = legacyRoute(value, {});
    if (!route) {
      this.isModern ||= isJsonObject(value) && value.id !== undefined && value.method !== Method.Discover;
      return false;
    }
    if (route.reason === 'batch') return this.takeBatch(value);
    if (this.lines) return this.receive(this.lines, value);
    if (route.reason !== 'initialize' && route.reason !== 'no-claim') return false;
    const { era } = this.parts;
    if (era !== 'reject' && !this.isModern) return this.receive((this.lines = new LegacyLines(era, this.parts)), value);
    // A request without an envelope amid others that have one is a mistake, and the reader of envelopes says which.
    if (era !== 'reject' && route.reason === 'no-claim') return false;
    return this.refuse(value, route.requestedVersion);
  }

  // Without the handshake, which names a revision, there is none that has batches.
  private takeBatch(value: JsonValue): boolean {
    if (!this.lines || !Array.isArray(value)) return false;
    this.lines.receiveBatch(value);
    return true;
  }

  shutDown(): void {
    this.lines?.abort('shutdown');
  }

  disconnect(): void {
    this.lines?.abort('disconnected');
  }

  async close(): Promise<void> {
    await this.lines?.end();
  }

  private receive(lines: LegacyLines, value: JsonValue): boolean {
    lines.receive(value);
    return true;
  }

  private refuse(value: JsonValue, requested: string | undefined): boolean {
    const incoming = toMessage(value);
    if (incoming.kind !== 'request') return false;
    this.parts.refuse(unsupportedRevision(incoming.message.id, requested));
    return true;
  }
}
