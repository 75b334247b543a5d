import type { CallToolResult } from '@mocapi/core';
import type { InputRequest, LedgerEntry, WireError } from '@mocapi/core/extension';

/** A result of a tool. */
export const RESULT: CallToolResult = { resultType: 'complete', content: [{ type: 'text', text: 'done' }], structuredContent: { n: 1 } };

/** An error of a tool. */
export const ERROR: WireError = { code: -32010, message: 'no such tape', data: { tape: 7 } };

/** A question with a field of every kind that a form can have. */
export const QUESTION: InputRequest = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Tell us – “all” of it 🎬',
    requestedSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', description: 'Yours', minLength: 1, maxLength: 50, format: 'email', default: 'a@b.c' },
        age: { type: 'integer', minimum: 0, maximum: 150, default: 3 },
        height: { type: 'number', minimum: 0.5 },
        yes: { type: 'boolean', default: false },
        colour: { type: 'string', enum: ['red', 'green'], enumNames: ['Red', 'Green'], default: 'red' },
        size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }] },
        many: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] },
        titled: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] } },
      },
      required: ['name'],
    },
  },
};

/** The unanswered slot of `QUESTION` in a ledger. */
export function questionSlot(key: string): LedgerEntry {
  return { key, kind: 'elicitation', fingerprint: 'f'.repeat(64), request: QUESTION, answered: false };
}
