import { HttpException, type CanActivate } from '@nestjs/common';
import type { ExternalContextCreator } from '@nestjs/core';
import { ENDPOINT_GUARD } from './framework-guards.js';
import { EXECUTION_INDEX, Guarded } from '../run/mcp-execution.js';
import { partsOf, withParts, type GuardsConsumer } from './nest-internals.js';
import { ResponseFacade } from '../response/response-facade.js';

/** Where Nest's execution arguments hold the response. */
const RESPONSE_INDEX = 1;

/** The same creator, which notes in the call which of the guards refused: Nest keeps it to itself. */
export function notingGuards(creator: ExternalContextCreator): ExternalContextCreator {
  const noting = Object.create(partsOf(creator).guardsConsumer, { tryActivate: { value: tryActivate } }) as object;
  return withParts(creator, { guardsConsumer: noting });
}

// As Nest's own, argument for argument.
// oxlint-disable-next-line mocapi/max-params
async function tryActivate(
  this: GuardsConsumer,
  guards: readonly CanActivate[] | undefined,
  args: unknown[],
  instance: object,
  callback: unknown,
  type: string,
): Promise<boolean> {
  if (!guards || guards.length === 0) return true;
  const context = this.createContext(args, instance, callback);
  context.setType(type);
  const call = args[EXECUTION_INDEX];
  const note = call instanceof Guarded ? call : undefined;
  const asked = note?.isInside ? guards.slice(guards.indexOf(ENDPOINT_GUARD) + 1) : guards;
  for (const guard of asked) {
    if (note) note.guard = guard;
    const result = guard.canActivate(context);
    const response = args[RESPONSE_INDEX];
    if (!(typeof result === 'boolean' ? result : await settledOrAnswered(this.pickResult(result), response))) return false;
    // The caller's answer is given, whatever the guard says after it.
    if (response instanceof ResponseFacade && response.isAnswered) throw answeredBy(response);
  }
  return true;
}

/**
 * Waits for the guard's answer, unless the guard answers the response first: a guard that redirects to a login page, for
 * example, may never return.
 * @throws HttpException with the status of that answer
 */
export async function settledOrAnswered(said: Promise<boolean>, response: unknown): Promise<boolean> {
  if (!(response instanceof ResponseFacade)) return said;
  const first = await Promise.race([said, response.whenAnswered()]);
  if (first !== undefined) return first;
  throw answeredBy(response);
}

/** The refusal of a guard that has answered the response. */
export function answeredBy({ statusCode }: ResponseFacade): HttpException {
  return new HttpException('It answered the HTTP response itself', statusCode);
}
