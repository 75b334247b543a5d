import { Inject, Injectable } from '@nestjs/common';
import { McpArg, McpNotifier, McpRegistrar, McpResourceTemplate, McpTool, invalidParams, type JsonValue } from '@mocapi/core';
import { McpSeam, type HonouredTopic, type SubscriptionContributor } from '@mocapi/core/extension';
import { McpTask } from '@mocapi/tasks';
import { z } from 'zod';

// #region notifier
@Injectable()
export class PriceList {
  private readonly prices = new Map([['tea', 3]]);

  constructor(@Inject(McpNotifier) private readonly notifier: McpNotifier) {}

  @McpResourceTemplate({ uriTemplate: 'shop://prices/{article}', mimeType: 'text/plain' })
  price(@McpArg('article') article: string): string {
    return String(this.prices.get(article) ?? 'not sold');
  }

  @McpTool({ description: 'Sets the price of an article' })
  setPrice(@McpArg('article') article: string, @McpArg('price') price: number): void {
    this.prices.set(article, price);
    this.notifier.resourceUpdated(`shop://prices/${article}`);
  }
}
// #endregion notifier

// #region registrar
@Injectable()
export class Plugins {
  constructor(@Inject(McpRegistrar) private readonly registrar: McpRegistrar) {}

  async enable(): Promise<void> {
    await this.registrar.addTool({
      name: 'convert',
      description: 'Converts an amount of money',
      annotations: { readOnlyHint: true },
      inputSchema: z.object({ amount: z.number(), to: z.enum(['EUR', 'USD']) }),
      handler: ({ amount, to }) => ({ amount: to === 'EUR' ? amount * 0.9 : amount / 0.9, currency: to }),
    });
  }

  disable(): boolean {
    return this.registrar.removeTool('convert');
  }
}
// #endregion registrar

// #region decorators
@Injectable()
export class Reports {
  constructor(@Inject(McpRegistrar) private readonly registrar: McpRegistrar) {}

  add(name: string, run: (signal: AbortSignal) => Promise<string>): Promise<void> {
    return this.registrar.addTool({
      name,
      description: `Makes the report ${name}`,
      guards: [{ canActivate: (context) => context.switchToHttp().getRequest<{ ip: string }>().ip === '127.0.0.1' }],
      decorators: [McpTask({ ttl: 'PT2H' })],
      handler: (_args, ctx) => run(ctx.signal),
    });
  }
}
// #endregion decorators

// #region contributor
@Injectable()
@McpSeam('subscription-contributor')
export class BuildTopic implements SubscriptionContributor<string> {
  readonly filterKey = 'example.com/build';
  private readonly listeners = new Set<(branch: string) => void>();

  parse(value: JsonValue): string {
    if (typeof value !== 'string') throw invalidParams(`params.notifications.${this.filterKey} must be the name of a branch`);
    return value;
  }

  honour(branch: string): HonouredTopic {
    return {
      honoured: branch,
      start: (sink) => {
        const listener = (built: string): void => {
          if (built === branch) sink.emit(branch, () => ({ method: 'notifications/example.com/build', params: { branch } }));
        };
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
      },
    };
  }

  built(branch: string): void {
    for (const listener of this.listeners) listener(branch);
  }
}
// #endregion contributor
