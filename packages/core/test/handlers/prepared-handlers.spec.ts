import type { HandlerDefinition } from '../../src/discovery/handler-definition.js';
import { PreparedHandlers, type PreparedHandler } from '../../src/handlers/run/prepared-handler.js';

/** Only their identity counts here. */
const [first, second] = [{ name: 'first' }, { name: 'second' }] as unknown as [HandlerDefinition, HandlerDefinition];
const guards = (count: number): PreparedHandler =>
  ({ hiding: { ref: {}, guards: Array.from({ length: count }, () => ({ canSee: () => false })) } }) as unknown as PreparedHandler;
const hideable = guards(2);
const open = guards(0);
const plain = {} as PreparedHandler;

describe('whether some handler may be hidden', () => {
  let handlers: PreparedHandlers;
  beforeEach(() => (handlers = new PreparedHandlers()));

  it('is not so without handlers, nor with handlers that no guard may hide', () => {
    expect(handlers.hidesSome).toBe(false);
    handlers.set(first, open);
    handlers.set(second, plain);
    expect(handlers.hidesSome).toBe(false);
  });

  it('is so until the last that may be is removed', () => {
    handlers.set(first, hideable);
    handlers.set(second, hideable);
    handlers.delete(first);
    expect(handlers.hidesSome).toBe(true);
    handlers.delete(second);
    expect(handlers.hidesSome).toBe(false);
    handlers.set(first, hideable);
    expect(handlers.hidesSome).toBe(true);
  });

  it('counts a handler once, however often it is set or removed', () => {
    handlers.set(first, hideable);
    handlers.set(first, hideable);
    handlers.delete(second);
    expect(handlers.hidesSome).toBe(true);
    handlers.delete(first);
    handlers.delete(first);
    expect(handlers.hidesSome).toBe(false);
    handlers.set(first, hideable);
    expect(handlers.hidesSome).toBe(true);
  });

  it('follows a handler that is replaced', () => {
    handlers.set(first, hideable);
    handlers.set(first, open);
    expect([handlers.hidesSome, handlers.get(first), handlers.has(first)]).toEqual([false, open, true]);
    handlers.set(first, hideable);
    expect(handlers.hidesSome).toBe(true);
  });
});
