import { methodOf, type Carrier, type Kind } from './carriers.js';
import type { Aspect } from './handlers.js';

const ASPECTS: readonly Aspect[] = ['guard', 'interceptor', 'pipe', 'filter', 'request scope'];
const KINDS: readonly Kind[] = ['tool', 'prompt', 'resource', 'template'];
const CARRIERS: readonly Carrier[] = ['sync', 'wire replay', 'task', 'resumed task'];

/** One cell of the matrix. */
export interface Cell {
  readonly aspect: Aspect;
  readonly kind: Kind;
  readonly carrier: Carrier;
}

/** A cell that can be, with all that must happen in it: each entry once, in this order. */
export interface PossibleCell extends Cell {
  readonly expected: readonly string[];
}

/** A cell that cannot be, and why. */
export interface ImpossibleCell extends Cell {
  readonly reason: string;
}

const all: readonly Cell[] = ASPECTS.flatMap((aspect) => KINDS.flatMap((kind) => CARRIERS.map((carrier) => ({ aspect, kind, carrier }))));

const isTask = (carrier: Carrier): boolean => carrier === 'task' || carrier === 'resumed task';
const isPossible = ({ kind, carrier }: Cell): boolean => kind === 'tool' || !isTask(carrier);

/** Whether the handler runs twice: it asks, and goes on with the answer. */
export const runsTwice = (carrier: Carrier): boolean => carrier === 'wire replay' || carrier === 'resumed task';

/** What happens of one aspect in one execution, which ends or suspends; where a filter is watched it ends with an error. */
function execution({ aspect, kind }: Cell, message: string, ends: boolean): string[] {
  switch (aspect) {
    case 'guard':
      return ['app guard', 'class guard', 'method guard', 'body'];
    case 'interceptor': {
      const after = ends ? 'after' : 'undone';
      return ['app before', 'class before', 'method before', 'body', `method ${after}`, `class ${after}`, `app ${after}`];
    }
    case 'pipe':
      return ['app pipe', 'class pipe', 'method pipe', ...(kind === 'resource' ? [] : ['parameter pipe']), 'body'];
    case 'filter':
      return ['body', ...(ends ? ['method filter'] : [])];
    case 'request scope':
      return [`made for ${message}`, "its guard's own", 'body'];
  }
}

function expectedIn(cell: Cell): string[] {
  const method = methodOf(cell.kind);
  if (!runsTwice(cell.carrier)) return execution(cell, method, true);
  // The message that makes a task go on is guarded as a message; the execution that it starts is guarded as every execution is.
  const resumes = cell.carrier === 'resumed task';
  const between = resumes && cell.aspect === 'guard' ? ['app guard of tasks/update'] : [];
  return [...execution(cell, method, false), ...between, ...execution(cell, resumes ? 'tasks/update' : method, true)];
}

/** The cells that can be. */
export const POSSIBLE: readonly PossibleCell[] = all.filter(isPossible).map((cell) => ({ ...cell, expected: expectedIn(cell) }));

/** The cells that cannot be. */
export const IMPOSSIBLE: readonly ImpossibleCell[] = all
  .filter((cell) => !isPossible(cell))
  .map((cell) => ({ ...cell, reason: `the Tasks extension has tasks of tools/call alone, never of ${methodOf(cell.kind)}` }));
