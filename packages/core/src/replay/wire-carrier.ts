import { invalidParams } from '../errors/mcp.error.js';
import type { InputRequests, McpResult } from '../protocol/messages.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import { answerLedger, conformingAnswers } from './accept-answer.js';
import type { LedgerSnapshot } from './ledger.js';
import type { RequestStateBinding, RequestStateCodec } from './request-state-codec.js';

/** Start of an execution: the answers so far, and answers that came without a ledger to check them against. */
export interface LoadedLedger {
  readonly ledger: LedgerSnapshot;
  readonly offers?: JsonObject;
}

/** Carries a ledger between the rounds of a call in the client's hands: out as a sealed `requestState`, back with `inputResponses`. */
export class WireCarrier {
  constructor(private readonly codec: RequestStateCodec) {}

  /** Reads the retry fields of a call's params. @throws McpError -32602 when they are of the wrong form, or the token is not of this call */
  open(params: JsonObject, binding: RequestStateBinding): LoadedLedger {
    const { requestState, inputResponses } = params;
    if (inputResponses !== undefined && !isJsonObject(inputResponses))
      throw invalidParams('inputResponses must be an object of answers by key');
    if (requestState === undefined) return inputResponses ? { ledger: [], offers: inputResponses } : { ledger: [] };
    const ledger = this.codec.open(requestState, binding);
    return { ledger: inputResponses ? answerLedger(ledger, conformingAnswers(ledger, inputResponses)) : ledger };
  }

  /** The `input_required` result that asks `requests` and carries `ledger` to the next round. */
  ask(requests: InputRequests, ledger: LedgerSnapshot, binding: RequestStateBinding): McpResult {
    return { resultType: 'input_required', inputRequests: requests, requestState: this.codec.seal(ledger, binding) };
  }
}
