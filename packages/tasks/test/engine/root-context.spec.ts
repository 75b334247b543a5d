import { AsyncLocalStorage } from 'node:async_hooks';
import { inRootContext } from '../../src/engine/task-resumption.js';

const storage = new AsyncLocalStorage<string>();

describe('the root context of tasks', () => {
  it('is outside of the context of whoever asks for it', () => {
    expect(storage.run('caller', () => inRootContext(() => storage.getStore()))).toBeUndefined();
  });

  it('keeps nothing that was entered in it and not left', () => {
    inRootContext(() => storage.enterWith('left behind'));
    expect(inRootContext(() => storage.getStore())).toBeUndefined();
  });
});
