import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { z } from 'zod';
import { PaymentService } from '../payments/payment-service.js';

const Receipt = z.object({ wanted: z.boolean() });
const Rating = z.object({ stars: z.int().min(1).max(5) });

/** How the purchase went, and how often the payment service was charged for it: once, however often the body ran. */
export interface Purchase {
  readonly orderId: string;
  readonly amount: number;
  readonly charges: number;
  readonly receipt: boolean;
  readonly rating: number | null;
}

/** Has a side effect that must not happen again when the answers come and the body runs from the top. */
@Injectable()
export class CheckoutTools {
  constructor(private readonly payments: PaymentService) {}

  @McpTool({ name: 'charge_then_ask', description: 'Charges an amount, then asks about the receipt and for a rating' })
  @McpTask({ ttl: 'PT1H', pollInterval: 'PT0.5S', recover: 'replay' })
  async chargeThenAsk(@McpArg('amount') amount: number, @McpContext() ctx: McpToolContext): Promise<Purchase> {
    // The id is recorded before the charge is made under it. It is part of a question below, too, so that a second id could not go
    // unnoticed: one key may not ask two things.
    const orderId = await ctx.step('order', () => randomUUID());
    await ctx.step('charge', () => this.payments.charge(orderId, amount));
    const receipt = await ctx.elicit('receipt', { message: `Order ${orderId} is paid. Do you want a receipt?`, schema: Receipt });
    const rating = await ctx.elicit('rating', { message: 'How was it?', schema: Rating });
    return {
      orderId,
      amount,
      charges: await this.payments.chargesOf(orderId),
      receipt: receipt.action === 'accept' && receipt.content.wanted,
      rating: rating.action === 'accept' ? rating.content.stars : null,
    };
  }
}
