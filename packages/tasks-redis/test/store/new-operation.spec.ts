import { newOperation } from '../../src/store/new-operation.js';

it('no two operations have the same id, over more than are in stock', () => {
  const ids = Array.from({ length: 2000 }, newOperation);
  expect(new Set(ids).size).toBe(2000);
  expect(ids.every((id) => /^[\w-]{16}$/.test(id))).toBe(true);
});
