import type { RequestId } from '../../protocol/messages.js';

/** Writes one line, and says whether it was written. */
type WriteLine = (text: string, onWritten: (reached: boolean) => void) => void;

interface Reply {
  readonly text: string;
  readonly onWritten: (reached: boolean) => void;
}

/** The answers of one batch, which go out together as one array once each of its requests has ended (JSON-RPC 2.0 "Batch"). */
export class StdioBatch {
  private readonly open: Set<RequestId>;
  private readonly replies: Reply[] = [];

  constructor(
    ids: Iterable<RequestId>,
    private readonly write: WriteLine,
  ) {
    this.open = new Set(ids);
  }

  /** An answer to a member that has no id, or has not been carried out at all. */
  refuse(text: string): void {
    this.replies.push({ text, onWritten: () => {} });
    this.check();
  }

  /** The answer to the request with this id. */
  reply(id: RequestId, reply: Reply): void {
    this.replies.push(reply);
    this.drop(id);
  }

  /** The request with this id is not answered, since its client has cancelled it. */
  drop(id: RequestId): void {
    if (this.open.delete(id)) this.check();
  }

  private check(): void {
    if (this.open.size > 0 || this.replies.length === 0) return;
    const replies = this.replies.splice(0);
    const text = `[${replies.map((reply) => reply.text).join(',')}]`;
    this.write(text, (reached) => {
      for (const { onWritten } of replies) onWritten(reached);
    });
  }
}
