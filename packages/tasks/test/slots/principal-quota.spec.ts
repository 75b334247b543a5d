import { TaskExecutorFullError, type TaskSlot } from '@mocapi/tasks';
import { PrincipalQuota } from '../../src/slots/principal-quota.js';

const [ann, bob] = ['ann', 'bob'];

let released: number;
let quota: PrincipalQuota;

beforeEach(() => {
  released = 0;
  quota = new PrincipalQuota(2);
});

function slotOf(account: string): TaskSlot {
  quota.assertRoom(account);
  return quota.count({ ready: Promise.resolve(), release: () => void released++ }, account);
}

describe('the quota of a caller', () => {
  it('refuses one more than may run or wait, with a time to come back, and no other caller', () => {
    slotOf(ann);
    slotOf(ann);
    expect(() => slotOf(ann)).toThrow(expect.objectContaining({ code: -32603, data: { retryAfterMs: 1000 } }));
    expect(() => slotOf(ann)).toThrow(TaskExecutorFullError);
    expect(() => slotOf(bob)).not.toThrow();
  });

  it('has room again once for each slot that is given back, however often it is', () => {
    const first = slotOf(ann);
    slotOf(ann);
    first.release();
    first.release();
    expect(released).toBe(2);
    slotOf(ann);
    expect(() => slotOf(ann)).toThrow();
  });
});
