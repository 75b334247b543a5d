import * as fc from 'fast-check';
import { DeadlineHeap } from '../../src/store/deadlines.js';

describe('DeadlineHeap', () => {
  it('gives its keys back in the order of their deadlines, whatever comes between', () => {
    const operations = fc.array(fc.option(fc.integer({ min: 0, max: 50 }), { nil: 'pop' as const }), { maxLength: 200 });
    fc.assert(
      fc.property(operations, (steps) => {
        const heap = new DeadlineHeap<number>();
        const model: number[] = [];
        for (const step of steps) {
          if (step === 'pop') expect(heap.pop()).toBe(model.shift());
          else {
            heap.push(step, step);
            model.push(step);
            model.sort((a, b) => a - b);
          }
          expect([heap.size, heap.earliest]).toEqual([model.length, model[0]]);
        }
      }),
    );
  });

  it('is empty once cleared', () => {
    const heap = new DeadlineHeap<string>();
    heap.push('a', 1);
    heap.clear();
    expect([heap.size, heap.earliest, heap.pop()]).toEqual([0, undefined, undefined]);
  });
});
