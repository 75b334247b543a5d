import { McpArgs, McpTool } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Body, Controller, Post, ValidationPipe, type ArgumentMetadata, type ValidationPipeOptions } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { IsInt } from 'class-validator';

class Order {
  @IsInt()
  amount!: number;
}

/** A pipe with a field that only its own class can touch, as `#name` is. */
class Counting extends ValidationPipe {
  #seen = 0;

  get seen(): number {
    return this.#seen;
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    this.#seen += 1;
    return super.transform(value, metadata);
  }
}

@Controller()
class Orders {
  @McpTool({ description: 'x' })
  order(@McpArgs() order: Order): string {
    return order.constructor.name;
  }

  @Post('order')
  route(@Body() order: Order): string {
    return order.constructor.name;
  }
}

describe('N-3: a ValidationPipe with private fields', () => {
  let testing: McpTestingApp;
  afterEach(() => testing.close());

  const route = async (): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(new URL('/order', testing.url), { method: 'POST', headers, body: '{"amount":1}' });
    return response.text();
  };

  it.each<[string, ValidationPipeOptions]>([
    ['by default', {}],
    ['with transform', { transform: true }],
  ])('works on a handler %s, and does on a route what it did', async (_how, options) => {
    const pipe = new Counting(options);
    testing = await createMcpTestingApp({ controllers: [Orders], providers: [{ provide: APP_PIPE, useValue: pipe }] });
    const client = testing.client();
    const [right, wrong, ofRoute] = await Promise.all([
      client.callTool('order', { amount: 1 }),
      client.callTool('order', { amount: 'x' }),
      route(),
    ]);
    expect(right.result?.content).toMatchObject([{ text: 'Order' }]);
    expect(wrong.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('amount') as string }] });
    expect(ofRoute).toBe(options.transform ? 'Order' : 'Object');
    expect(pipe.seen).toBeGreaterThan(1);
  });

  it('one that is frozen works too', async () => {
    const pipe = Object.freeze(new ValidationPipe());
    testing = await createMcpTestingApp({ controllers: [Orders], providers: [{ provide: APP_PIPE, useValue: pipe }] });
    const { result } = await testing.client().callTool('order', { amount: 1 });
    expect(result?.content).toMatchObject([{ text: 'Order' }]);
    expect(await route()).toBe('Object');
  });
});
