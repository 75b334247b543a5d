import type { JsonObject } from '@mocapi/core';

/** What both servers offer under the same names: what it says, and what it answers. */
export const SERVER = { name: 'differential', version: '1.0.0' };
export const INSTRUCTIONS = 'A server to compare.';
export const MAX_BODY_BYTES = 1024 * 1024;

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

export const EMPTY_INPUT: JsonObject = { type: 'object', additionalProperties: false };
export const ECHO_INPUT: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string', maxLength: 100_000 } },
  required: ['text'],
  additionalProperties: false,
};
export const ADD_INPUT: JsonObject = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
};
export const ADD_OUTPUT: JsonObject = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
export const ROUTE_INPUT: JsonObject = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    shard: { type: 'integer', 'x-mcp-header': 'Shard' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    place: { type: 'object', properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } } },
  },
};
export const SHAPE_INPUT: JsonObject = {
  type: 'object',
  $defs: { size: { enum: ['S', 'M', 'L'] } },
  properties: {
    size: { $ref: '#/$defs/size' },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    form: { oneOf: [{ type: 'object', properties: { round: { const: true } }, required: ['round'] }, { type: 'null' }] },
  },
};
export const ANYTHING_INPUT: JsonObject = {
  type: 'object',
  properties: { kind: { enum: ['object', 'array', 'text', 'number', 'boolean', 'null'] } },
  required: ['kind'],
};
/** By the kind that is asked for. */
export const ANYTHING: JsonObject = {
  object: { deep: { deeper: [1, { deepest: null }] }, ключ: 'значение' },
  array: [1, 'two', null, { three: 3 }],
  text: 'just text',
  number: 0.5,
  boolean: false,
  null: null,
};

export const DECORATED = {
  title: 'A decorated tool',
  description: 'Says everything that a tool can say of itself',
  annotations: { title: 'Decorated', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'light' as const }],
  _meta: { 'example.com/tier': 'gold' },
};

/** A form of one text field, as the wire has it. */
export const NAME_FORM: JsonObject = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
export const SAMPLE = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'A greeting, please' } }],
  maxTokens: 50,
};
export const CONSENT = { message: 'Please consent', url: 'https://example.com/consent' };

export const TONES = ['warm', 'wary', 'cold'];
export const NAMES = Array.from({ length: 120 }, (_, index) => `name-${index}`);
