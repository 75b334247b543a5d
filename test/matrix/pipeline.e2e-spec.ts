import type { McpTestingApp } from '@mocapi/testing';
import { runOn, send, startMatrixApp } from './carriers.js';
import { IMPOSSIBLE, POSSIBLE, runsTwice, type Cell } from './cells.js';
import { events, script } from './handlers.js';

let testing: McpTestingApp;
beforeAll(async () => {
  testing = await startMatrixApp();
});
afterAll(() => testing.close());
beforeEach(() => {
  events.length = 0;
  Object.assign(script, { asks: false, fails: false, pipesOf: 'argument' });
});

const titled = <C extends Cell>(cells: readonly C[], rest: (cell: C) => string): [string, C][] =>
  cells.map((cell) => [`${cell.aspect} × ${cell.kind} × ${cell.carrier}: ${rest(cell)}`, cell]);

describe("Nest's pipeline around every kind of handler, on every carrier", () => {
  it.each(titled(POSSIBLE, ({ expected }) => expected.join(' → ')))('%s', async (_title, { aspect, kind, carrier, expected }) => {
    script.asks = runsTwice(carrier);
    script.fails = aspect === 'filter';
    script.pipesOf = kind === 'resource' ? 'context' : 'argument';
    expect(await runOn(carrier, kind, testing)).toBe(script.fails ? 'filtered' : 'done');
    const seen = events.filter((event) => event.aspect === aspect || event.aspect === 'body');
    expect(seen.map(({ text }) => text)).toEqual(expected);
  });

  it.each(titled(IMPOSSIBLE, ({ reason }) => `not applicable, ${reason}`))('%s', async (_title, { kind }) => {
    const { result } = await send(testing.client().withTasks(), kind);
    expect(result?.resultType).toBe('complete');
  });

  it('has a cell for each of 5 aspects, 4 kinds and 4 carriers', () => {
    expect([POSSIBLE.length, IMPOSSIBLE.length]).toEqual([50, 30]);
    expect(new Set([...POSSIBLE, ...IMPOSSIBLE].map(({ aspect, kind, carrier }) => `${aspect} ${kind} ${carrier}`)).size).toBe(5 * 4 * 4);
  });
});
