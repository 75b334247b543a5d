import { execFile } from 'node:child_process';
import { join } from 'node:path';

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string; readonly failureMessages: readonly string[] }[];
  }[];
}

const ROOT = join(import.meta.dirname, '../..');

function runFixtures(): Promise<Report> {
  const args = ['node_modules/jest/bin/jest.js', '-c', 'test/tooling/fixtures/jest.config.mjs', '--json', '--silent'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT }, (_error, stdout) => resolve(JSON.parse(stdout) as Report));
  });
}

describe('the runner of the tests', () => {
  let report: Report;
  beforeAll(async () => void (report = await runFixtures()), 60_000);

  const file = (name: string) => report.testResults.find((result) => result.name.endsWith(`${name}.fixture.mjs`))!;
  const test = (title: string) => file('outcomes').assertionResults.find((result) => result.title === title)!;

  it.each([
    ['passes', 'passed', []],
    ['compares', 'failed', [expect.stringContaining('Object.is equality')]],
    ['hangs', 'failed', [expect.stringContaining('Exceeded timeout of 50 ms')]],
    ['throws where nobody catches it', 'failed', [expect.stringContaining('thrown later')]],
    ['rejects where nobody handles it', 'failed', [expect.stringContaining('rejected')]],
    ['asserts less than it said', 'failed', [expect.stringContaining('one assertion to be called')]],
    ['is skipped', 'pending', []],
  ])('reports a test that %s as %s', (title, status, messages) => {
    expect(test(title).status).toBe(status);
    expect(test(title).failureMessages).toEqual(messages);
  });

  it.each([
    ['clean-up', 'clean-up failed'],
    ['load', 'nowhere.mjs'],
    ['exit', 'ended with 3'],
  ])('fails the file %s, and says why', (name, message) => {
    expect(file(name).status).toBe('failed');
    expect(file(name).message).toContain(message);
  });

  it.each(['first', 'second'])('gives a file that is named for it a process of its own (%s)', (name) => {
    expect(file(`${name}.alone`)).toMatchObject({ status: 'passed', message: '' });
  });

  it('goes on with the next file after a process that ended', () => {
    expect(file('shared').status).toBe('passed');
  });
});
