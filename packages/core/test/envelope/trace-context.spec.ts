import { readTraceContext } from '../../src/envelope/trace-context.js';

const TRACE = 'a'.repeat(32);
const SPAN = 'b'.repeat(16);
const traceparent = `00-${TRACE}-${SPAN}-01`;

describe('traceparent', () => {
  it.each([traceparent, `00-${TRACE}-${SPAN}-00`, `cc-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-01-what-comes-later`])(
    '%s is taken',
    (value) => {
      expect(readTraceContext({ traceparent: value })).toEqual({ traceparent: value });
    },
  );

  it.each([
    '',
    'garbage',
    1,
    null,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}`,
    ` ${traceparent}`,
    `${traceparent}\n`,
    `cc-${TRACE}-${SPAN}-01-${'x'.repeat(9000)}`,
  ])('%j is ignored', (value) => {
    expect(readTraceContext({ traceparent: value, tracestate: 'a=1', baggage: 'a=1' })).toBeUndefined();
  });
});

describe('tracestate', () => {
  it.each(['a=1', 'a=1,b=2', 'tenant@vendor=x', 'a=1, b=2', 'a=1,,b=2', 'a= x'])('%j is taken', (tracestate) => {
    expect(readTraceContext({ traceparent, tracestate })).toEqual({ traceparent, tracestate });
  });

  it.each(['', ',', 'a', '=1', 'A=1', 'a=1=2', 'a=1,a=2', 'a=é', 3, Array.from({ length: 33 }, (_, n) => `k${n}=1`).join()])(
    '%j is ignored, and traceparent stays',
    (tracestate) => {
      expect(readTraceContext({ traceparent, tracestate })).toEqual({ traceparent });
    },
  );
});

describe('baggage', () => {
  it.each(['a=1', 'a=1,b=2;p;q=3', 'a = 1 ; p', 'a='])('%j is taken', (baggage) => {
    expect(readTraceContext({ traceparent, baggage })).toEqual({ traceparent, baggage });
  });

  it.each(['', 'a', 'a b=1', 'a="1"', 'a=1,', 7, `a=${'x'.repeat(8192)}`])('%j is ignored, and traceparent stays', (baggage) => {
    expect(readTraceContext({ traceparent, baggage })).toEqual({ traceparent });
  });
});

it.each([
  ['tracestate', `a=${' '.repeat(8000)}\t`],
  ['tracestate', ','.repeat(8000)],
  ['baggage', `a=${'\t'.repeat(8000)}"`],
  ['baggage', `a${'\t'.repeat(4000)}=${'\t'.repeat(4000)}"`],
  ['baggage', `a=1${'; '.repeat(4000)}"`],
])('%s built to make a pattern backtrack costs no time', (key, value) => {
  const before = performance.now();
  for (let round = 0; round < 20; round++) readTraceContext({ traceparent, [key]: value });
  expect((performance.now() - before) / 20).toBeLessThan(20);
});
