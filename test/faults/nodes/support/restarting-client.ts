import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '@mocapi/core';
import type { McpReply, McpTestClient } from '@mocapi/testing';

const WAIT_MS = 100;
const ATTEMPTS = 100;

/**
 * A client behind a proxy while nodes come and go. It does what a proxy or a client may do without knowing the method: a 503 and an error with
 * `data.retryAfterMs` say that nothing was done, so the request is sent again. Nothing else is repeated: a connection that broke, a 502 and a refusal count as what they are.
 */
export class RestartingClient {
  /** Requests that were sent again. */
  sentAgain = 0;
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(private readonly client: McpTestClient) {}

  request(method: string, params: JsonObject): Promise<McpReply> {
    const request = this.send(method, params).finally(() => this.underWay.delete(request));
    this.underWay.add(request);
    return request;
  }

  /** Resolves when everything is answered that was asked before. */
  async answered(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }

  private async send(method: string, params: JsonObject): Promise<McpReply> {
    for (let attempt = 1; ; attempt++) {
      const reply = await this.client.request(method, params);
      if (!saysComeAgain(reply) || attempt === ATTEMPTS) return reply;
      this.sentAgain += 1;
      await setTimeout(WAIT_MS);
    }
  }
}

function saysComeAgain({ status, headers, error }: McpReply): boolean {
  if (status === 503) return headers.get('retry-after') !== null;
  return (error?.data as { retryAfterMs?: number } | undefined)?.retryAfterMs !== undefined;
}
