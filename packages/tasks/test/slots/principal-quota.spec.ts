import { TaskExecutorFullError } from '@mocapi/tasks';
import { TaskAttempt } from '../../src/attempts/task-attempt.js';
import { PrincipalQuota } from '../../src/slots/principal-quota.js';
import { attemptFixture } from '../attempts/attempts.js';

const [ann, bob] = ['ann', 'bob'];

let quota: PrincipalQuota;

beforeEach(() => {
  quota = new PrincipalQuota(2);
});

function count(account: string): void {
  quota.assertRoom(account);
  quota.add(account);
}

describe('the quota of a caller', () => {
  it('refuses one more than may run or wait, with a time to come back, and no other caller', () => {
    count(ann);
    count(ann);
    expect(() => count(ann)).toThrow(expect.objectContaining({ code: -32603, data: { retryAfterMs: 1000 } }));
    expect(() => count(ann)).toThrow(TaskExecutorFullError);
    expect(() => count(bob)).not.toThrow();
  });

  it('has room again once for each slot that is given back, however often it is', async () => {
    const parts = await attemptFixture();
    const attempt = new TaskAttempt(parts.record, { ...parts.start, account: ann }, { ...parts.parts, quota });
    count(ann);
    count(ann);
    attempt.releaseSlot();
    attempt.releaseSlot();
    expect(parts.released()).toBe(1);
    count(ann);
    expect(() => count(ann)).toThrow();
  });
});
