import { isGood, sum, summaryLine, tallyOfJest, tallyOfStep } from '../../tools/test-tally.mjs';

const report = (...testResults: { status: string; assertionResults: { status: string }[] }[]) => ({
  numPassedTests: 2,
  numPendingTests: 1,
  numTodoTests: 0,
  testResults,
});
const passed = { status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'passed' }, { status: 'pending' }] };

describe('the tally of a test run', () => {
  it('counts tests', () => {
    const suite = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'failed' }] };
    expect(tallyOfJest(report(passed, suite), 1)).toEqual({ passed: 2, failed: 2, skipped: 1 });
  });

  it('counts a suite that could not run as one failed test', () => {
    expect(tallyOfJest(report(passed, { status: 'failed', assertionResults: [] }), 1)).toMatchObject({ failed: 1 });
  });

  it('counts a runner that exits with an error as failed, whatever it says', () => {
    expect(tallyOfJest(report(passed), 1)).toMatchObject({ failed: 1 });
    expect(tallyOfJest(undefined, 0)).toMatchObject({ failed: 1 });
    expect(tallyOfStep('3 passed, 0 failed\n', 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
  });

  it('reads the last line that a step prints', () => {
    expect(tallyOfStep('9 passed, 9 failed\nlater\n3 passed, 1 failed, 2 skipped\n\n', 1)).toEqual({ passed: 3, failed: 1, skipped: 2 });
    expect(tallyOfStep('3 passed, 0 failed\nnot the last line', 0)).toMatchObject({ failed: 1 });
  });

  it('is good when something passed and nothing failed', () => {
    const total = sum([tallyOfJest(report(passed), 0), tallyOfStep('3 passed, 0 failed', 0)]);
    expect(summaryLine(total)).toBe('5 passed, 0 failed, 1 skipped');
    expect(isGood(total)).toBe(true);
    expect(isGood({ ...total, failed: 1 })).toBe(false);
    expect(isGood({ passed: 0, failed: 0, skipped: 4 })).toBe(false);
  });
});
