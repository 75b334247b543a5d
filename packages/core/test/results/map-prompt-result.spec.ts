import { mapPromptResult } from '../../src/results/map-prompt-result.js';

const PROMPT = { name: 'greet', description: 'Greets' };
const user = (text: string) => ({ role: 'user', content: { type: 'text', text } });

describe('what a prompt returns', () => {
  it('as a text is one message of the user', () => {
    expect(mapPromptResult('Hello', PROMPT)).toEqual({ resultType: 'complete', description: 'Greets', messages: [user('Hello')] });
  });

  it('as a content block is one message of the user', () => {
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
    expect(mapPromptResult(image, PROMPT).messages).toEqual([{ role: 'user', content: image }]);
  });

  it('as a message, or several with texts between, is these', () => {
    const answer = { role: 'assistant', content: { type: 'text', text: 'Yes' } };
    expect(mapPromptResult(answer, PROMPT).messages).toEqual([answer]);
    expect(mapPromptResult(['Well?', answer], PROMPT).messages).toEqual([user('Well?'), answer]);
  });

  it('as a GetPromptResult is passed through', () => {
    const result = { description: 'Own', messages: [user('Hello')], _meta: { 'example.com/x': 1 } };
    expect(mapPromptResult(result, PROMPT)).toEqual({ resultType: 'complete', ...result });
  });

  it.each([undefined, null, 7, {}, { messages: 'none' }, [7], { role: 'system', content: { type: 'text', text: 'x' } }])(
    'as anything else is an error that names the prompt: %j',
    (value) => {
      expect(() => mapPromptResult(value, PROMPT)).toThrow(/greet/);
    },
  );
});
