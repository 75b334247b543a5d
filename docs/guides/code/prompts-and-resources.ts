import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { Injectable, NotFoundException, SetMetadata, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  McpArg,
  McpArgs,
  McpComplete,
  McpContext,
  McpExecution,
  McpField,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpTool,
  type McpCompletionContext,
  type McpHandlerContext,
  type McpPrincipal,
  type McpVisibility,
  type McpVisibilityContext,
  type PromptMessage,
} from '@mocapi/core';
import { IsIn, IsInt, Max } from 'class-validator';
import { z } from 'zod';

// #region prompt
export class ReviewArgs {
  @IsIn(['strict', 'friendly'])
  @McpField({ description: 'How it should sound' })
  tone!: 'strict' | 'friendly';

  @IsInt()
  @Max(50)
  @McpField({ description: 'The most remarks', default: 10 })
  remarks!: number;
}

@Injectable()
export class ReviewPrompts {
  @McpPrompt({ title: 'Code review', description: 'Reviews what is pasted next' })
  review(@McpArgs() { tone, remarks }: ReviewArgs): string {
    return `Review the code that follows in a ${tone} tone, in at most ${remarks} remarks.`;
  }

  @McpPrompt({ description: 'Shows how an answer looks' })
  example(@McpArg('question') question: string): PromptMessage[] {
    return [
      { role: 'user', content: { type: 'text', text: question } },
      { role: 'assistant', content: { type: 'text', text: 'In one sentence: ' } },
    ];
  }

  @McpPrompt({ description: 'Asks before it answers' })
  async greeting(@McpContext() ctx: McpHandlerContext): Promise<string> {
    const answer = await ctx.elicit('name', { message: 'Whom to greet?', schema: z.object({ name: z.string() }) });
    return answer.action === 'accept' ? `Greet ${answer.content.name}` : 'Greet everybody';
  }
}
// #endregion prompt

// #region resource
@Injectable()
export class ShopResources {
  @McpResource({ uri: 'shop://opening-hours', description: 'When the shop is open', cache: { ttl: 'PT1H', scope: 'public' } })
  openingHours() {
    return { weekdays: '9-18', saturday: '10-14' };
  }

  @McpResource({ uri: 'shop://logo', mimeType: 'image/svg+xml', annotations: { audience: ['user'] } })
  logo(): Buffer {
    return Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  }

  @McpResourceTemplate({ uriTemplate: 'shop://articles/{number}', description: 'An article' })
  article(@McpArg('number', { schema: 'integer' }) number: number) {
    if (number > 1000) throw new NotFoundException(`No article ${number}`);
    return { number, name: `Article ${number}` };
  }
}
// #endregion resource

// #region files
@Injectable()
export class ManualResources {
  private readonly root = resolve('manual');

  @McpResourceTemplate({ uriTemplate: 'manual://{+path}', mimeType: 'text/markdown' })
  async page(@McpArg('path') path: string): Promise<string> {
    const file = resolve(this.root, path);
    const inside = relative(this.root, file);
    if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) throw new NotFoundException();
    return readFile(file, 'utf8').catch(() => {
      throw new NotFoundException();
    });
  }
}
// #endregion files

// #region completion
@Injectable()
export class TravelPrompts {
  private readonly cities: Record<string, string[]> = { fr: ['Lille', 'Lyon', 'Paris'], it: ['Milan', 'Rome'] };

  @McpPrompt({ description: 'Plans a journey' })
  journey(@McpArg('country', { schema: { enum: ['fr', 'it'] } }) country: string, @McpArg('city') city: string): string {
    return `Plan a journey to ${city} in ${country}.`;
  }

  @McpComplete({ prompt: 'journey', argument: 'city' })
  completeCity(value: string, { country = 'fr' }: Record<string, string>, { signal }: McpCompletionContext): string[] {
    signal.throwIfAborted();
    return (this.cities[country] ?? []).filter((city) => city.toLowerCase().startsWith(value.toLowerCase()));
  }
}
// #endregion completion

// #region visibility
const Roles = (...roles: string[]) => SetMetadata('roles', roles);

/** Denies calls without the role, and hides what it would deny. */
@Injectable()
export class RolesGuard implements CanActivate, McpVisibility {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    return this.allows(McpExecution.of(context).principal, context);
  }

  canSee(context: McpVisibilityContext): boolean {
    return this.allows(context.principal, context);
  }

  private allows(principal: McpPrincipal | undefined, context: Pick<McpVisibilityContext, 'getHandler'>): boolean {
    const roles = this.reflector.get<string[] | undefined>('roles', context.getHandler());
    const held = (principal?.claims?.['roles'] ?? []) as string[];
    return roles === undefined || roles.some((role) => held.includes(role));
  }
}

@Injectable()
@UseGuards(RolesGuard)
export class PayrollTools {
  @McpTool({ description: 'Shows the salaries' })
  @Roles('accountant')
  salaries(): string {
    return 'Ann 100, Bob 100';
  }

  @McpResource({ uri: 'payroll://holidays' })
  holidays(): string {
    return 'None';
  }
}
// #endregion visibility
