import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { isInputRequired, McpArg, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { catchError, of, throwError, type Observable } from 'rxjs';
import { z } from 'zod';

/** Stands for what a hotel would offer over its own interface. */
export abstract class Hotel {
  abstract reserve(city: string, signal: AbortSignal): Promise<{ reservation: string; price: number }>;
  abstract open(city: string, signal: AbortSignal): Promise<{ close(): Promise<void> }>;
}

/** Stands for the accounts that users connect on a page of the server's own. */
export abstract class Accounts {
  /** A page for this caller, under a number that says nothing about them. */
  abstract newPage(principalId: string | undefined): Promise<{ number: string; url: string }>;
  /** Whether the caller has been there, as the caller, and has connected the account. */
  abstract isConnected(number: string, principalId: string | undefined): Promise<boolean>;
}

// #region elicit
const Confirmation = z.object({ confirmed: z.boolean().describe('Shall the room be booked?') });

@Injectable()
export class BookingTools {
  constructor(private readonly hotel: Hotel) {}

  @McpTool({ description: 'Books a room' })
  async book(@McpArg('city') city: string, @McpContext() ctx: McpToolContext) {
    const offer = await ctx.step('reserve', () => this.hotel.reserve(city, ctx.signal));
    const answer = await ctx.elicit('confirm', { message: `A room in ${city} costs ${offer.price}.`, schema: Confirmation });
    if (answer.action !== 'accept' || !answer.content.confirmed) return { booked: false };
    return { booked: true, reservation: offer.reservation };
  }
}
// #endregion elicit

// #region several
const Name = z.object({ name: z.string() });
const Colour = z.object({ colour: z.enum(['red', 'green', 'blue']) });

@Injectable()
export class BadgeTools {
  @McpTool({ description: 'Makes a badge' })
  async badge(@McpContext() ctx: McpToolContext): Promise<string> {
    const [name, colour] = await Promise.all([
      ctx.elicit('name', { message: 'Whose badge is it?', schema: Name }),
      ctx.elicit('colour', { message: 'Which colour?', schema: Colour }),
    ]);
    if (name.action !== 'accept' || colour.action !== 'accept') return 'No badge was made';
    return `A ${colour.content.colour} badge for ${name.content.name}`;
  }
}
// #endregion several

// #region supports
@Injectable()
export class CleaningTools {
  @McpTool({ description: 'Empties the waste basket', annotations: { destructiveHint: true } })
  async empty(@McpContext() ctx: McpToolContext): Promise<string> {
    if (!ctx.supports('elicitation')) return 'Nothing was removed: the client cannot ask its user for a confirmation';
    const answer = await ctx.elicit('sure', { message: 'Remove everything?', schema: z.object({ sure: z.boolean() }) });
    return answer.action === 'accept' && answer.content.sure ? 'Everything was removed' : 'Nothing was removed';
  }
}
// #endregion supports

// #region rethrow
@Injectable()
export class FallbackInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next
      .handle()
      .pipe(catchError((error: unknown) => (isInputRequired(error) ? throwError(() => error) : of('Please try again later'))));
  }
}
// #endregion rethrow

// #region finally
@Injectable()
export class InspectionTools {
  constructor(private readonly hotel: Hotel) {}

  @McpTool({ description: 'Inspects the rooms and asks which of them to close' })
  async inspect(@McpArg('city') city: string, @McpContext() ctx: McpToolContext): Promise<string> {
    const session = await this.hotel.open(city, ctx.signal);
    try {
      const answer = await ctx.elicit('close', { message: 'Which room is to be closed?', schema: z.object({ room: z.string() }) });
      return answer.action === 'accept' ? `Room ${answer.content.room} is closed` : 'No room was closed';
    } finally {
      await session.close();
    }
  }
}
// #endregion finally

// #region url
@Injectable()
export class CalendarTools {
  constructor(private readonly accounts: Accounts) {}

  @McpTool({ description: 'Connects the calendar of the user' })
  async connect(@McpContext() ctx: McpToolContext): Promise<string> {
    const page = await ctx.step('page', () => this.accounts.newPage(ctx.principal?.id));
    const { action } = await ctx.elicitUrl('consent', { message: 'Please connect your calendar', url: page.url });
    if (action !== 'accept') return 'The calendar was not connected';
    const connected = await this.accounts.isConnected(page.number, ctx.principal?.id);
    return connected ? 'The calendar is connected' : 'Nothing was connected on the page: try again';
  }
}
// #endregion url

// #region model
@Injectable()
export class TitleTools {
  @McpTool({ description: 'Finds a title for a text' })
  async title(@McpArg('text') text: string, @McpContext() ctx: McpToolContext): Promise<string> {
    if (!ctx.supports('sampling')) return text.slice(0, 40);
    const { content } = await ctx.sample('title', {
      messages: [{ role: 'user', content: { type: 'text', text: `Find a title for: ${text}` } }],
      maxTokens: 30,
    });
    const [first] = Array.isArray(content) ? content : [content];
    return first?.type === 'text' ? first.text : text.slice(0, 40);
  }
}
// #endregion model

// #region kinds
@Injectable()
export class ProjectTools {
  @McpTool({ description: 'Makes a project' })
  async make(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.requireCapability({ elicitation: { form: {} }, roots: {} });
    const [name, roots] = await Promise.all([ctx.elicit('name', { message: 'What is it called?', schema: Name }), ctx.listRoots('roots')]);
    return name.action === 'accept' ? `${name.content.name} in ${roots[0]?.uri ?? 'no folder'}` : 'No project was made';
  }
}
// #endregion kinds
