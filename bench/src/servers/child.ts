import { createHook } from 'node:async_hooks';

/** Answers questions of the parent process: a name and an argument, answered by the handler of that name. */
export type Handlers = Readonly<Record<string, (argument: never) => unknown>>;

interface Question {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

/** Tells the parent that this process is ready, and answers its questions from then on. `port` is where it listens, if it does. */
export function ready(port: number | undefined, handlers: Handlers = {}): void {
  const all: Handlers = { cpu: ownCpu, memory: heapUsed, beginCounting, promises: () => promises, ...handlers };
  process.on('message', (question: Question) => void answer(question, all));
  process.on('disconnect', () => process.exit(0));
  process.send!({ ready: true, port });
}

async function answer({ id, name, argument }: Question, handlers: Handlers): Promise<void> {
  try {
    const value = await handlers[name]!(argument as never);
    process.send!({ id, value });
  } catch (error) {
    process.send!({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

/** In microseconds. */
function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Bytes of the heap in use, after garbage collection where the process may ask for one. */
function heapUsed(): number {
  for (let time = 0; time < 3; time += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

let promises = 0;

/** Counts the promises that are made from now on. It slows the process down for good. */
function beginCounting(): void {
  promises = 0;
  createHook({ init: (_id, type) => void (promises += Number(type === 'PROMISE')) }).enable();
}
