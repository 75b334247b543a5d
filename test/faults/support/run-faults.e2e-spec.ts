import type { Fault, FaultReport } from './fault.js';
import { evidence } from './fault.js';
import { judgeFault } from './judge-fault.js';
import { runFaults } from './run-faults.js';

const GOOD: FaultReport = { injected: 'a cut', fired: evidence(2, 'cuts'), expected: 'no loss', seen: '0 lost', held: true };

const fault = (id: string, report: Partial<FaultReport> = {}): Fault => ({
  id,
  title: 'nothing is lost',
  run: async () => ({ ...GOOD, ...report }),
});

async function linesOf(faults: readonly Fault[], ids: readonly string[] = []) {
  const lines: string[] = [];
  const passed = await runFaults(faults, ids, (line) => lines.push(line));
  return { lines, passed };
}

describe('the run of the faults', () => {
  it('prints a line for each, and their sum', async () => {
    const { lines, passed } = await linesOf([fault('F1'), fault('F2')]);
    expect(lines).toEqual([
      'F1  injected: a cut  fired: 2 cuts  expected: no loss  seen: 0 lost  ok',
      'F2  injected: a cut  fired: 2 cuts  expected: no loss  seen: 0 lost  ok',
      '2 passed, 0 failed',
    ]);
    expect(passed).toBe(true);
  });

  it('fails a fault that did not fire, whatever it saw', async () => {
    const { lines, passed } = await linesOf([fault('F1', { fired: evidence(0, 'cuts') })]);
    expect(lines[0]).toContain('fired: no  expected: no loss  seen: 0 lost  FAILED');
    expect(lines[1]).toBe('0 passed, 1 failed');
    expect(passed).toBe(false);
  });

  it('fails a fault that saw something else, that threw, or that took too long, and goes on to the next', async () => {
    const threw: Fault = { ...fault('F2'), run: async () => Promise.reject(new Error('no such thing')) };
    const late: Fault = { ...fault('F3'), limitMs: { long: 5 }, run: () => new Promise(() => undefined) };
    const { lines, passed } = await linesOf([fault('F1', { seen: '1 lost', held: false }), threw, late, fault('F4')]);
    expect(lines[0]).toContain('seen: 1 lost  FAILED');
    expect(lines[1]).toMatch(/^F2 {2}nothing is lost: Error: no such thing[^]*FAILED$/);
    expect(lines[2]).toMatch(/^F3 {2}nothing is lost: Error: not done within 5 ms[^]*FAILED$/);
    expect(lines.slice(3)).toEqual([expect.stringMatching(/^F4 .* ok$/), '1 passed, 3 failed']);
    expect(passed).toBe(false);
  });

  it('runs those that are named, a name without its suffix naming all that have one', async () => {
    const faults = [fault('F1'), fault('F1-fail'), fault('F11'), fault('F2')];
    const { lines } = await linesOf(faults, ['F1', 'F2']);
    expect(lines.map((line) => line.split('  ')[0])).toEqual(['F1', 'F1-fail', 'F2', '3 passed, 0 failed']);
  });

  it('refuses a name that is nobody’s and a name that is two’s', async () => {
    await expect(linesOf([fault('F1')], ['F9'])).rejects.toThrow('No such fault: F9. There are: F1');
    await expect(linesOf([fault('F1'), fault('F1')])).rejects.toThrow('Two faults have the id F1');
  });

  it('runs long what is run on its own, and short what a spec runs', async () => {
    const scales: string[] = [];
    const watched: Fault = { ...fault('F1'), run: async (scale) => (scales.push(scale), GOOD) };
    await linesOf([watched]);
    await judgeFault(watched, 'short');
    expect(scales).toEqual(['long', 'short']);
  });
});
