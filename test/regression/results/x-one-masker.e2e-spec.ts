import { McpPrompt, McpTool } from '@mocapi/core';
import { McpSeam, type McpMethod, type McpMethodContributor } from '@mocapi/core/extension';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';

const fail = (): never => {
  throw new Error('secret detail');
};

@Injectable()
class Handlers {
  @McpTool({ description: 'Fails' })
  tool(): never {
    return fail();
  }

  @McpPrompt({ description: 'Fails' })
  prompt(): never {
    return fail();
  }
}

@Injectable()
@McpSeam('method-contributor')
class Extension implements McpMethodContributor {
  methods(): McpMethod[] {
    return [{ name: 'example.com/fail', handle: () => Promise.resolve().then(fail) }];
  }
}

const messages = async (testing: McpTestingApp): Promise<(string | undefined)[]> => {
  const client = testing.client();
  const { result } = await client.callTool('tool');
  const prompt = await client.request('prompts/get', { name: 'prompt' });
  const method = await client.request('example.com/fail');
  return [result?.content?.[0]?.text?.replace(/ \(errorId [-0-9a-f]+\)$/, ''), prompt.error?.message, method.error?.message];
};

describe('X: an unexpected error is masked in one way, wherever it arose', () => {
  it.each([
    [true, 'Internal error: secret detail'],
    [false, 'Internal error'],
  ])('with exposeErrorMessages %s', async (exposeErrorMessages, message) => {
    const testing = await createMcpTestingApp({ providers: [Handlers, Extension], options: { exposeErrorMessages } });
    try {
      expect(await messages(testing)).toEqual([message, message, message]);
      const ids = testing.logs.filter(({ level, message: line }) => level === 'error' && line.includes('errorId'));
      expect(ids).toHaveLength(3);
    } finally {
      await testing.close();
    }
  });
});
