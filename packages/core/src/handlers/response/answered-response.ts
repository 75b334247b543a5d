import { STATUS_CODES } from 'node:http';
import { isThenable, type MaybePromise } from '../../protocol/maybe-promise.js';
import { macrotask } from '../../replay/pending-window.js';
import type { ResponseFacade } from './response-facade.js';

/** An enhancer answered by the HTTP response: its status and body, never sent as HTTP. */
export class RecordedHttpError extends Error {
  constructor(
    private readonly status: number,
    private readonly body: unknown,
  ) {
    super('It answered the HTTP response itself');
  }

  getStatus(): number {
    return this.status;
  }

  getResponse(): unknown {
    return this.body;
  }
}

/** Where a pipeline runs. */
export interface AnsweredCall {
  /** Resolves a turn after no body of the call runs any more. */
  readonly call: { whenNoBodyRuns(): Promise<undefined> };
  readonly response: ResponseFacade;
}

/**
 * The value of a pipeline, or what an enhancer answered on the response in its place. On a route the first answer counts, and an interceptor that gives one
 * may never settle; so here it is waited for no longer than until no body runs.
 * @throws RecordedHttpError when the answer is none of the statuses 2xx
 */
export function valueOrAnswer(enter: () => MaybePromise<unknown>, { call, response }: AnsweredCall): MaybePromise<unknown> {
  const given = (value: unknown): unknown => (value === undefined && response.isAnswered ? answerOf(response) : value);
  const withoutEmpty = (error: unknown): undefined => {
    // An interceptor that has answered may complete without a value.
    if (response.isAnswered && isEmptyError(error)) return undefined;
    throw error;
  };
  let entered: MaybePromise<unknown>;
  try {
    entered = enter();
  } catch (error) {
    return given(withoutEmpty(error));
  }
  if (!isThenable(entered)) return given(entered);
  const value = entered.catch(withoutEmpty);
  return Promise.race([value, answered(response).then(() => call.whenNoBodyRuns())]).then(given);
}

/** The value of `said`; undefined when the response was answered first. */
export function unlessAnswered(said: Promise<unknown>, response: ResponseFacade): Promise<unknown> {
  return Promise.race([said, answered(response)]);
}

/** Resolves a turn after the response was answered: who settles in the same turn has said more. */
function answered(response: ResponseFacade): Promise<void> {
  return response.whenAnswered().then(macrotask);
}

function answerOf({ recorded, statusCode }: ResponseFacade): unknown {
  const status = recorded?.status ?? statusCode;
  if (recorded !== undefined && status < 300) return recorded.body;
  throw new RecordedHttpError(status, recorded?.body ?? STATUS_CODES[status]);
}

/** RxJS's, by name: an application may have another copy of it. What was thrown may throw when it is looked at. */
function isEmptyError(error: unknown): boolean {
  try {
    return error instanceof Error && error.name === 'EmptyError';
  } catch {
    return false;
  }
}
