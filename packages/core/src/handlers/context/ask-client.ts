import type { JsonValue } from '../../protocol/json.js';
import { inputRequest } from '../../protocol/shapes/input-requests.js';
import { misfitText } from '../../protocol/shapes/shape.js';
import type { Question } from '../../replay/pass.js';
import type { CallPass } from '../run/run-pass.js';
import { QuietPromise } from '../../replay/quiet-promise.js';

/** How one kind of question is asked, and how its answer reaches the author. */
export interface Asking<T> {
  /** Makes the question. What it throws refuses the call: a capability that the client lacks, a mistake of the author. */
  readonly question: () => Question;
  /** Makes the author's value from the recorded answer, which conforms to the question. */
  readonly read: (answer: JsonValue) => T | Promise<T>;
}

/** Asks the client. Refusals before the question is there go the way of all refusals, so that no body can swallow them in an endless loop. */
export function askClient<T>({ pass }: CallPass, { question, read }: Asking<T>): Promise<T> {
  let asked: Question;
  try {
    asked = question();
    assertAllowed(asked);
  } catch (error) {
    return QuietPromise.of(pass.refuse(error as Error, 'a question'));
  }
  return QuietPromise.of(pass.ask(asked).then(read));
}

/** @throws TypeError, a mistake of the author, when the protocol does not allow the question */
function assertAllowed({ kind, request }: Question): void {
  const misfit = misfitText(inputRequest(request), kind);
  if (misfit !== undefined) throw new TypeError(`The question does not conform to the protocol: ${misfit}`);
}

/** The optional key before the question. */
export function keyed<O>(first: string | O, second?: O): { readonly key: { readonly key?: string }; readonly options: O } {
  return typeof first === 'string' ? { key: { key: first }, options: second! } : { key: {}, options: first };
}
