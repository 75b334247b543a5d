import { McpPrompt, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { BadRequestException, ConflictException, HttpException, Injectable } from '@nestjs/common';

let thrown: () => unknown;

@Injectable()
class Orders {
  @McpTool({ description: 'Fails' })
  fails(): never {
    throw thrown();
  }

  @McpPrompt({ description: 'Fails' })
  ask(): never {
    throw thrown();
  }
}

let testing: McpTestingApp;
beforeAll(async () => {
  testing = await createMcpTestingApp({ providers: [Orders] });
});
afterAll(() => testing.close());

const told = async (): Promise<readonly (string | undefined)[]> => {
  const client = testing.client();
  const { result } = await client.callTool('fails');
  const { error } = await client.request('prompts/get', { name: 'ask' });
  return [result?.content?.[0]?.text, error?.message];
};

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

describe('A-5: the response of an HttpException reaches the model as text', () => {
  const field = { field: 'name', errors: ['too short', 'not a name'] };
  it.each<[string, () => HttpException, string]>([
    ['an array of objects', () => new BadRequestException([field, { field: 'age' }]), `${JSON.stringify(field)}; {"field":"age"}`],
    ['texts and objects', () => new BadRequestException(['first', { field: 'age' }]), 'first; {"field":"age"}'],
    [
      'an object without a message',
      () => new ConflictException({ code: 'ORDER_CLOSED', detail: 'Order 17 is closed' }),
      '{"code":"ORDER_CLOSED","detail":"Order 17 is closed"}',
    ],
    ['an object as the message', () => new ConflictException({ message: { code: 'ORDER_CLOSED' } }), '{"code":"ORDER_CLOSED"}'],
    ['a message', () => new ConflictException({ message: 'closed', code: 1 }), 'closed'],
    ['a response that JSON cannot hold', () => new ConflictException(cyclic), 'HTTP 409'],
    ['an empty response', () => new HttpException({}, 409), 'HTTP 409'],
  ])('%s', async (_what, make, text) => {
    thrown = make;
    expect(await told()).toEqual([text, text]);
  });

  it('and is bounded in length', async () => {
    thrown = () => new BadRequestException(Array.from({ length: 5000 }, () => field));
    for (const text of await told()) expect(text).toHaveLength(4001);
  });
});
