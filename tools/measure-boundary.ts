import { resultMisfit } from '@mocapi/core/internal';

/** Prints the time that the check of ordinary results takes, in microseconds: the median of several rounds. Run: npm run measure:boundary */
const ROUNDS = 15;
const CALLS = 100_000;
const block = { type: 'text', text: 'The order has been shipped.' };
const RESULTS: Record<string, unknown> = {
  'one text block': { resultType: 'complete', content: [block] },
  'text and structured content': {
    resultType: 'complete',
    content: [block],
    structuredContent: { id: 17, state: 'shipped' },
    isError: false,
  },
  'five blocks with annotations': {
    resultType: 'complete',
    content: Array.from({ length: 5 }, () => ({ ...block, annotations: { audience: ['user'], priority: 0.5 } })),
  },
  'an image of 100 KiB': {
    resultType: 'complete',
    content: [{ type: 'image', mimeType: 'image/png', data: Buffer.alloc(75 * 1024, 7).toString('base64') }],
  },
};

for (const [name, result] of Object.entries(RESULTS)) {
  const calls = name.includes('KiB') ? CALLS / 1000 : CALLS;
  const times = Array.from({ length: ROUNDS }, () => {
    const begun = process.cpuUsage();
    for (let call = 0; call < calls; call++)
      if (resultMisfit('tools/call', result) !== undefined) throw new Error(`${name} does not conform`);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / calls;
  });
  console.log(`${name}: ${times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!.toFixed(2)} µs`);
}
