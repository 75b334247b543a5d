import type { SchemaSource } from '@mocapi/core';
import { compileSchema } from '../../src/schema/compile-schema.js';

describe('a raw schema', () => {
  it('may be written as a constant', () => {
    const schema = { type: 'object', properties: { kind: { enum: ['a', 'b'] } }, required: ['kind'] } as const satisfies SchemaSource;
    expect(compileSchema(schema, { where: 'Test', use: 'input' }).json).toEqual(schema);
  });
});
