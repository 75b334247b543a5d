import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { McpArgs, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { z } from 'zod';

const ReportArgs = z.object({ title: z.string().min(1).max(200).describe('Title of the report') });
const SECTIONS = ['summary', 'figures', 'outlook'];

/** Outcome of a report. */
export interface Report {
  readonly title: string;
  readonly status: 'written' | 'declined';
}

/** Asks before it works. A client without tasks is asked on the wire, by the same code. */
@Injectable()
export class ReportTools {
  @McpTool({ name: 'confirmed_report', description: 'Writes a report once you have confirmed it' })
  @McpTask({ ttl: 'PT1H', pollInterval: 'PT0.5S', recover: 'replay' })
  async confirmedReport(
    @McpArgs({ schema: ReportArgs }) { title }: z.output<typeof ReportArgs>,
    @McpContext() ctx: McpToolContext,
  ): Promise<Report> {
    const answer = await ctx.elicit('confirm', { message: `Write the report "${title}"?`, schema: z.object({ ok: z.boolean() }) });
    if (answer.action !== 'accept' || !answer.content.ok) return { title, status: 'declined' };
    for (const [index, section] of SECTIONS.entries()) {
      await setTimeout(50, undefined, { signal: ctx.signal });
      ctx.progress(index + 1, SECTIONS.length, section);
    }
    return { title, status: 'written' };
  }
}
