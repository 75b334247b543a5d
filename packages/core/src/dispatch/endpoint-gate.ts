import type { McpPrincipal } from '../envelope/principal.js';
import type { RequestEnvelope } from '../envelope/request-envelope.js';
import type { JsonObject } from '../protocol/json.js';
import type { MaybePromise } from '../protocol/maybe-promise.js';
import type { Exchange } from './exchange.js';

/** The subject of the guards: the request as guards see it, and how the transport takes the headers that they set. */
export interface Entering {
  readonly exchange: Pick<Exchange, 'request' | 'signal' | 'responseHeaders'>;
}

/** A request that is about to be answered with an error before any guard of its handler was asked. */
export interface Judged extends Entering {
  readonly envelope: RequestEnvelope;
  readonly params: JsonObject;
  /** The handler that the error is about. */
  readonly handler: object;
}

/**
 * Runs the app's global guards, the endpoint's guards and the principal source for a method that runs no Nest handler.
 * Implemented where Nest is known; the dispatcher only asks.
 */
export abstract class EndpointGate {
  /** Answers at once where nothing waits. @throws McpError with the HTTP status of the refusal, a 4xx, or rejects with it */
  abstract enter(context: Entering): MaybePromise<McpPrincipal | undefined>;

  /** Asks every guard that a call of the handler would meet, and runs nothing behind them. @throws McpError the refusal or denial, as the call would answer it */
  async judge(judged: Judged): Promise<void> {
    await this.enter(judged);
  }
}
