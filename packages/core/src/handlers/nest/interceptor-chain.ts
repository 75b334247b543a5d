import { AsyncResource } from 'node:async_hooks';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { EmptyError, Observable, from, type ObservableInput, type Subscriber } from 'rxjs';
import { isThenable, type MaybePromise } from '../../protocol/maybe-promise.js';

/** One value that is already there, as opposed to a stream of values. */
export class Value {
  constructor(readonly value: unknown) {}
}

/** The value that an interceptor or the method returns to its subscriber. */
export type Given = Value | ObservableInput<unknown>;

/** The chain around a method: the interceptors, the outermost first, and the method itself. */
export interface Chain {
  readonly interceptors: readonly NestInterceptor[];
  readonly context: ExecutionContext;
  /** Enters the method; called for each subscription. */
  readonly innermost: () => MaybePromise<Given>;
}

/**
 * Runs the interceptors as Nest does: each is called when the one around it subscribes to `next.handle()`, in the async context in which that was
 * called. Nothing waits that need not, so a chain whose interceptors and method answer at once has its value at once.
 * @returns the last value. @throws what the chain fails with; EmptyError when it completes without a value
 */
export function runChain(chain: Chain): MaybePromise<unknown> {
  const stream = streamOf(() => enter(chain, 0));
  const end: { value?: Value; failed?: { readonly error: unknown }; isOver?: true; tell?: () => void } = {};
  const over = (): void => {
    end.isOver = true;
    end.tell?.();
  };
  stream.subscribe({
    next: (value) => (end.value = new Value(value)),
    error: (error: unknown) => {
      end.failed = { error };
      over();
    },
    complete: over,
  });
  const settle = (): unknown => {
    if (end.failed) throw end.failed.error;
    if (!end.value) throw new EmptyError();
    return end.value.value;
  };
  return end.isOver ? settle() : new Promise<void>((resolve) => (end.tell = resolve)).then(settle);
}

function enter(chain: Chain, index: number): MaybePromise<Given> {
  const interceptor = chain.interceptors[index];
  return interceptor ? interceptor.intercept(chain.context, nextOf(chain, index + 1)) : chain.innermost();
}

function nextOf(chain: Chain, index: number): CallHandler {
  return {
    handle: () => {
      const scope = new AsyncResource('McpInterceptor');
      return streamOf(() => scope.runInAsyncScope(enter, undefined, chain, index));
    },
  };
}

/** The value of `give` as a stream. If `give` throws, the stream fails with that error. */
function streamOf(give: () => MaybePromise<Given>): Observable<unknown> {
  return new Observable((subscriber) => {
    const given = give();
    if (!isThenable(given)) return follow(subscriber, given);
    given.then((settled: Given) => follow(subscriber, settled)).catch((error: unknown) => subscriber.error(error));
  });
}

function follow(subscriber: Subscriber<unknown>, given: Given): void {
  if (subscriber.closed) return;
  if (!(given instanceof Value)) {
    from(given).subscribe(subscriber);
    return;
  }
  subscriber.next(given.value);
  subscriber.complete();
}
