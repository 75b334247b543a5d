import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpTool, type ElicitAnswer, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { z } from 'zod';

const Dates = z.object({ from: z.iso.date().describe('First day'), to: z.iso.date().describe('Last day') });
const Budget = z.object({ amount: z.number().min(0), currency: z.enum(['EUR', 'GBP', 'USD']).default('EUR') });

/** A planned trip; what the user would not say is missing. */
export interface Trip {
  readonly city: string;
  readonly dates?: z.output<typeof Dates>;
  readonly budget?: z.output<typeof Budget>;
}

/** Asks two things at the same time, so that a client may show one form. */
@Injectable()
export class TripTools {
  @McpTool({ name: 'trip_planner', description: 'Plans a trip to a city within your dates and budget' })
  @McpTask({ ttl: 'PT1H', pollInterval: 'PT0.5S', recover: 'replay' })
  async planTrip(@McpArg('city', { description: 'Where to' }) city: string, @McpContext() ctx: McpToolContext): Promise<Trip> {
    const [dates, budget] = await Promise.all([
      ctx.elicit('dates', { message: `When do you want to be in ${city}?`, schema: Dates }),
      ctx.elicit('budget', { message: 'What may it cost?', schema: Budget }),
    ]);
    return { city, ...accepted('dates', dates), ...accepted('budget', budget) };
  }
}

function accepted<K extends string, T>(key: K, answer: ElicitAnswer<T>): { [P in K]?: T } {
  return answer.action === 'accept' ? ({ [key]: answer.content } as { [P in K]?: T }) : {};
}
