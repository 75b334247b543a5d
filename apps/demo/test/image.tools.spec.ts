import type { McpToolContext } from '@mocapi/core';
import { ImageTools } from '../src/tools/image.tools.js';

describe('batch_resize', () => {
  it('stops in the middle of an image when its task ends', async () => {
    const task = new AbortController();
    const progress: number[] = [];
    const ctx = { signal: task.signal, progress: (done: number) => progress.push(done) } as unknown as McpToolContext;
    const resizing = new ImageTools().batchResize({ count: 1000, delayMs: 10_000 }, ctx);
    task.abort();
    await expect(resizing).rejects.toMatchObject({ name: 'AbortError' });
    expect(progress).toEqual([]);
  });
});
