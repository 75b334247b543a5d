import type { TaskRecord } from '@mocapi/tasks';
import { isAsked, withAsked, withoutAsked } from '../../src/store/asked-slots.js';

type Slot = TaskRecord['ledger'][number];

const request = {
  method: 'elicitation/create',
  params: { mode: 'form', message: '?', requestedSchema: { type: 'object', properties: {} } },
} as const;
const slot = { key: 'q', kind: 'elicitation', fingerprint: 'f', request, answered: false } as const satisfies Slot;

it('leaves the request of an open question to the document, and takes it from there again, as the same object', () => {
  const stored = withoutAsked(slot, { q: request });
  expect(Object.keys(stored)).toEqual(['key', 'kind', 'fingerprint', 'answered']);
  expect(withAsked(stored, { q: request })).toEqual(slot);
  expect(withAsked(stored, { q: request }).request).toBe(request);
});

it.each<[string, Slot, TaskRecord['inputRequests']]>([
  ['a slot that is answered', { ...slot, answered: true, response: {} }, { q: request }],
  ['a slot that nobody is asked for', slot, { other: request }],
  ['a slot of a task that asks nothing', slot, undefined],
  ['a slot that asks something else than the question of its key', slot, { q: { ...request } }],
  ['a step', { key: 'q', kind: 'step', fingerprint: '', answered: true }, { q: request }],
  ['a slot whose key is a member of every object', { ...slot, key: 'constructor' }, {}],
])('leaves %s as it is', (_what, entry, questions) => {
  expect(isAsked(entry, questions)).toBe(false);
  expect(withoutAsked(entry, questions)).toBe(entry);
  expect(withAsked(entry, questions)).toBe(entry);
});
