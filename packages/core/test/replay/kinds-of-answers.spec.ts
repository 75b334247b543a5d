import type { JsonValue } from '../../src/protocol/json.js';
import { acceptAnswer } from '../../src/replay/accept-answer.js';
import type { LedgerEntry } from '../../src/replay/ledger.js';

const slot = (kind: LedgerEntry['kind'], params?: Record<string, JsonValue>): LedgerEntry => ({
  key: 'k',
  kind,
  fingerprint: '',
  answered: false,
  request: { method: 'any', ...(params ? { params } : {}) },
});

const FORM = slot('elicitation', {
  mode: 'form',
  message: '?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
});
const OPTIONAL_FORM = slot('elicitation', {
  mode: 'form',
  message: '?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'string', default: 'm' } } },
});
const URL_MODE = slot('elicitation', { mode: 'url', message: '?', url: 'https://a.example' });
const SAMPLE = slot('sampling', { messages: [], maxTokens: 1 });
const SAMPLE_WITH_TOOLS = slot('sampling', { messages: [], maxTokens: 1, tools: [] });
const ROOTS = slot('roots');

const TEXT = { type: 'text', text: 'hello' };
const SAID = { role: 'assistant', content: TEXT, model: 'm' };
const TOOL_USE = { type: 'tool_use', id: '1', name: 't', input: {} };

describe('an answer is read as what was asked, however it looks', () => {
  const answers = {
    form: { action: 'accept', content: { name: 'Ada' } },
    sample: { ...SAID },
    roots: { roots: [{ uri: 'file:///a' }] },
    everything: { action: 'accept', content: TEXT, role: 'assistant', model: 'm', roots: [{ uri: 'file:///a' }] },
  };

  it.each<[string, LedgerEntry, keyof typeof answers, JsonValue | undefined]>([
    ['a form', FORM, 'form', { action: 'accept', content: { name: 'Ada' } }],
    ['a form', FORM, 'sample', undefined],
    ['a form', FORM, 'roots', undefined],
    ['a page', URL_MODE, 'everything', { action: 'accept' }],
    ['a page', URL_MODE, 'sample', undefined],
    ['a model', SAMPLE, 'form', undefined],
    ['a model', SAMPLE, 'roots', undefined],
    ['a model', SAMPLE, 'everything', SAID],
    ['roots', ROOTS, 'form', undefined],
    ['roots', ROOTS, 'sample', undefined],
    ['roots', ROOTS, 'everything', { roots: [{ uri: 'file:///a' }] }],
    ['a step', slot('step'), 'everything', undefined],
  ])('%s asked for, answered with that of another kind: %#', (...[, entry, answer, taken]) => {
    expect(acceptAnswer(entry, answers[answer])).toEqual(taken);
  });
});

describe('to accept a form without content', () => {
  it('is to leave out every field, if all of them may be', () => {
    expect(acceptAnswer(OPTIONAL_FORM, { action: 'accept' })).toEqual({ action: 'accept', content: { size: 'm' } });
  });

  it('answers nothing if a field is required, or if null stands for the content', () => {
    expect(acceptAnswer(FORM, { action: 'accept' })).toBeUndefined();
    expect(acceptAnswer(OPTIONAL_FORM, { action: 'accept', content: null })).toBeUndefined();
  });
});

describe('the answer to a page', () => {
  it.each(['accept', 'decline', 'cancel'])('is %s alone; content that comes along is dropped', (action) => {
    expect(acceptAnswer(URL_MODE, { action, content: { token: 'x' } })).toEqual({ action });
  });

  it.each([{}, { action: 'yes' }, 'accept', null, []])('is none: %j', (raw) => {
    expect(acceptAnswer(URL_MODE, raw)).toBeUndefined();
  });
});

describe('the answer of a model', () => {
  it('keeps who speaks, what it says, which model, and why it stopped', () => {
    const answer = { ...SAID, stopReason: 'endTurn', _meta: { a: 1 } };
    expect(acceptAnswer(SAMPLE, { ...answer, other: 1 })).toEqual(answer);
  });

  it.each<JsonValue>([
    TEXT,
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
    [TEXT, TEXT],
  ])('may hold %j', (content) => {
    expect(acceptAnswer(SAMPLE, { ...SAID, content })).toEqual({ ...SAID, content });
  });

  it.each<[string, Record<string, JsonValue | undefined>]>([
    ['no role', { role: undefined }],
    ['the role of a system', { role: 'system' }],
    ['no model', { model: undefined }],
    ['no content', { content: undefined }],
    ['an empty list', { content: [] }],
    ['a text instead of a block', { content: 'hello' }],
    ['a block without its text', { content: { type: 'text' } }],
    ['an image without its type', { content: { type: 'image', data: 'AA==' } }],
    ['a block of an unknown type', { content: { type: 'video', data: 'AA==' } }],
    ['a reason that is no text', { stopReason: 1 }],
    ['one bad block among good ones', { content: [TEXT, { type: 'text' }] }],
  ])('with %s answers nothing', (_what, changed) => {
    expect(acceptAnswer(SAMPLE, { ...SAID, ...changed })).toBeUndefined();
  });

  it('uses tools only where the request offered some', () => {
    expect(acceptAnswer(SAMPLE, { ...SAID, content: TOOL_USE })).toBeUndefined();
    expect(acceptAnswer(SAMPLE_WITH_TOOLS, { ...SAID, content: [TEXT, TOOL_USE] })).toEqual({ ...SAID, content: [TEXT, TOOL_USE] });
  });

  it("never holds the result of a tool, which is not a model's to say", () => {
    const content = { type: 'tool_result', toolUseId: '1', content: [] };
    expect(acceptAnswer(SAMPLE_WITH_TOOLS, { ...SAID, content })).toBeUndefined();
  });
});

describe('the answer with roots', () => {
  it('may be none at all, or several with their names', () => {
    expect(acceptAnswer(ROOTS, { roots: [] })).toEqual({ roots: [] });
    const roots = [
      { uri: 'file:///home/a', name: 'A' },
      { uri: 'file://host/share', _meta: { b: 1 } },
    ];
    expect(acceptAnswer(ROOTS, { roots: roots.map((root) => ({ ...root, more: true })) })).toEqual({ roots });
  });

  it.each<[string, JsonValue]>([
    ['no list', {}],
    ['an object instead of a list', { roots: { uri: 'file:///a' } }],
    ['a text in the list', { roots: ['file:///a'] }],
    ['a root without a URI', { roots: [{ name: 'A' }] }],
    ['a web address', { roots: [{ uri: 'https://a.example' }] }],
    ['a path', { roots: [{ uri: '/home/a' }] }],
    ['something that only looks like a file', { roots: [{ uri: 'file:/a' }] }],
    ['a file with a control character', { roots: [{ uri: 'file://\u0000' }] }],
    ['a file with a blank', { roots: [{ uri: 'file:///a b' }] }],
    ['a name that is no text', { roots: [{ uri: 'file:///a', name: 1 }] }],
    ['one bad root among good ones', { roots: [{ uri: 'file:///a' }, { uri: 'data:,x' }] }],
  ])('that has %s answers nothing', (_what, raw) => {
    expect(acceptAnswer(ROOTS, raw)).toBeUndefined();
  });
});
