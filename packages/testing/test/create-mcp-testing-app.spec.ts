import { McpModule, McpTool } from '@mocapi/core';
import { Injectable, Module, UseGuards, type CanActivate } from '@nestjs/common';
import { createMcpTestingApp } from '../src/index.js';

@Injectable()
class Mailer {
  send(): string {
    return 'sent for real';
  }
}

@Injectable()
class Closed implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class Letters {
  constructor(private readonly mailer: Mailer) {}

  @McpTool({ description: 'Sends a letter' })
  send(): string {
    return this.mailer.send();
  }

  @McpTool({ description: 'Sends a letter that nobody may send' })
  @UseGuards(Closed)
  secret(): string {
    return this.mailer.send();
  }
}

@Module({})
class LettersModule {}

const dynamic = {
  module: LettersModule,
  imports: [McpModule.forRoot({ name: 'letters', version: '1.0.0', shutdown: { notice: 0, drain: 0 } })],
  providers: [Letters, Mailer],
};

describe('an application for tests', () => {
  test('may be a dynamic module', async () => {
    const testing = await createMcpTestingApp({ module: dynamic });
    const { result } = await testing.client().callTool('send', {});
    expect(result?.content).toEqual([{ type: 'text', text: 'sent for real' }]);
    await testing.close();
  });

  test('has its providers and guards replaced by what the test gives', async () => {
    const testing = await createMcpTestingApp({
      module: dynamic,
      override: (builder) =>
        builder
          .overrideProvider(Mailer)
          .useValue({ send: () => 'sent in a test' })
          .overrideGuard(Closed)
          .useValue({ canActivate: () => true }),
    });
    const { result } = await testing.client().callTool('secret', {});
    expect(result?.content).toEqual([{ type: 'text', text: 'sent in a test' }]);
    expect(testing.logs.map(({ message }) => message)).toContain('Serving /mcp: 2 tools (send, secret)');
    await testing.close();
  });
});
