import { HttpConnection, type Answer } from './http-connection.js';

const OK = Buffer.from('HTTP/1.1 200');

/** One operation: its first request, and what follows from the answer. */
export interface Operation {
  readonly request: () => Buffer;
  /** Text that each right answer holds. */
  readonly expected: string;
  /** The next request of the same operation. @default there is none */
  readonly follow?: (answer: Answer) => Buffer;
}

/** Operations that were done within a time. */
export interface Load {
  readonly operations: number;
  readonly wallMs: number;
  /** Answers that were not 200 or lacked the expected text. */
  readonly bad: number;
}

/** How long a load lasts. On a busy machine the time passes with few operations, so both have to be reached. */
export interface LoadLength {
  readonly ms: number;
  readonly operations: number;
}

// A server that is slow beyond all expectation still lets the run end.
const LONGEST = 10;

/**
 * Keeps all connections busy with the operation.
 * @param isAwake whether this process looks for answers all the time instead of sleeping until one comes. A write to a sleeping reader costs the writer
 * the wake-up, which on a virtual machine is as much as a request, and the more often the slower the server is: that is no cost of the server
 */
export async function load(
  connections: readonly HttpConnection[],
  operation: Operation,
  { isAwake, ...length }: LoadLength & { readonly isAwake: boolean },
): Promise<Load> {
  const begun = performance.now();
  let left = length.operations;
  const goesOn = () => {
    const passed = performance.now() - begun;
    left -= 1;
    return passed < length.ms || (left >= 0 && passed < length.ms * LONGEST);
  };
  let isOver = !isAwake;
  const stayAwake = (): void => {
    if (!isOver) setImmediate(stayAwake);
  };
  stayAwake();
  const parts = await Promise.all(connections.map((connection) => repeat(connection, operation, goesOn)));
  isOver = true;
  const wallMs = performance.now() - begun;
  const sum = (of: 'operations' | 'bad') => parts.reduce((total, part) => total + part[of], 0);
  return { operations: sum('operations'), bad: sum('bad'), wallMs };
}

async function repeat(connection: HttpConnection, operation: Operation, goesOn: () => boolean): Promise<Omit<Load, 'wallMs'>> {
  const { request, follow } = operation;
  const expected = Buffer.from(operation.expected);
  const isRight = (answer: Answer) => answer.subarray(0, OK.length).equals(OK) && answer.includes(expected);
  let operations = 0;
  let bad = 0;
  while (goesOn()) {
    const answer = await connection.exchange(request());
    let right = isRight(answer);
    if (right && follow !== undefined) right = isRight(await connection.exchange(follow(answer)));
    operations += 1;
    if (!right) bad += 1;
  }
  return { operations, bad };
}
